import sys, json, glob, time, collections, os, random, traceback
from concurrent.futures import ProcessPoolExecutor
sys.setrecursionlimit(5000)
def entries():
    seen=set(); out=[]
    for f in sorted(glob.glob('.proofs-old/*/*.json')):
        d=json.load(open(f))
        for e in d['proofs']:
            s=json.dumps(e['proof'],sort_keys=True)
            if s in seen: continue
            seen.add(s)
            if '"rule": "unchecked"' in s: continue
            out.append((f"{f.split('/')[-2]}/{os.path.basename(f)}:{e['name']}",s))
    return out
def meant(d):
    if isinstance(d,dict):
        d={k:meant(v) for k,v in d.items()}
        if d.get('rule')=='products' : d.setdefault('meant',[])
        return d
    return list(map(meant,d)) if isinstance(d,list) else d
def one(e):
    from lpmech.prove.explicit import explicit
    from lpmech.prove.objects import from_data,to_data
    from lpmech.certify.proofs.rules import check
    name,s=e
    t=time.process_time()
    import signal
    def alarm(*_): raise TimeoutError('slow')
    signal.signal(signal.SIGPROF,alarm); signal.setitimer(signal.ITIMER_PROF,float(os.environ.get('SEC','15')))
    try:
        d=meant(json.loads(s))
        out=json.loads(json.dumps(to_data(explicit(from_data(d)))))
        t1=time.process_time()
        assert out['goal']==d['goal'], 'another goal'
        g,u=check(out)
        assert not u
        return name,'ok','',t1-t,time.process_time()-t1,len(s),len(json.dumps(out))
    except BaseException as ex:
        tb=traceback.extract_tb(ex.__traceback__)[-1]
        return name,type(ex).__name__,f"{str(ex)[:300]} [{os.path.basename(tb.filename)}:{tb.lineno}]",time.process_time()-t,0,len(s),0
    finally: signal.setitimer(signal.ITIMER_PROF,0)
if __name__=='__main__':
    es=entries(); print(len(es),'distinct'); 
    frac=float(sys.argv[1]) if len(sys.argv)>1 else 1
    random.seed(int(sys.argv[2]) if len(sys.argv)>2 else 0); random.shuffle(es)
    es=es[:int(len(es)*frac)]
    if len(sys.argv)>3: es=[e for e in es if sys.argv[3] in e[0]]
    rs=[]; log=open(os.environ.get('OUT','progress.jsonl'),'w')
    with __import__('multiprocessing').Pool(3) as pool:
        for r in pool.imap_unordered(one,es):
            rs.append(r); log.write(json.dumps(r)+'\n'); log.flush()
    ok=[r for r in rs if r[1]=='ok']
    print(len(ok),'of',len(rs),'elab',sum(r[3] for r in rs),'check',sum(r[4] for r in rs),'max check',max((r[4] for r in ok),default=0),'bytes',sum(r[5] for r in ok),sum(r[6] for r in ok))
    bad=[r for r in rs if r[1]!='ok']
    bad.sort(key=lambda r:r[5])
    json.dump(bad,open('bad.json','w'))
    for r in bad[:14]: print(r[5],r[0][:70],r[1],r[2][:330],round(r[3],1))
    c=collections.Counter(r[2][-30:] for r in bad)
    print(c.most_common(12))
    print([ (r[0][-40:],round(r[3],1)) for r in sorted(ok,key=lambda r:-r[3])[:5]])
