"""The service: an explainer behind a URL (docs/service.md). One front process, several workers.

    settings.py   what `geco serve` was told        limits.py      how much a request may be, strict JSON
    tokens.py     who may ask what                  problems.py    errors as RFC 9457 problem documents
    frames.py     messages between processes        worker.py      the process that holds an explainer
    answering.py  what a worker answers, questioning.py of it what people ask next
    together.py   several at once                   features.py    what a page needs to know of D and the rules
    queue.py      who waits                         workers.py     the processes: started, asked, replaced
    recorder.py   what goes into the ledger
    front.py      one request on its way            jobs.py        long work
    schemas.py    what may be asked                 replies.py     what is answered
    outer.py      headers, ids, logs, metrics       metrics.py     counts for Prometheus
    routes/       one file per subject              straight.py    the short way to them
    app.py, run.py all of it together, and served

It may use every other room but the command line. No value of an x is ever written to a log.
"""
