"""What to ask a judge and how to read its answer. No input or output happens here.

`contract` finds an answer in a reply, `rubric` and `pairwise` own one shape each, both ways;
`shield` keeps agents' text from speaking for the arena; `prompt` puts it together; `wording`
gives the digests that identify it; `planning` lists who is asked what.
"""
