-- Simulated users are entrants too: what their digests in table call stand for.
-- A check cannot be widened in place: the rows move through a table of the session.

create temp table entrant_before as from entrant;
drop table entrant;
create table entrant (
    -- A row per agent, judge or simulated user and digest: what digests elsewhere stand for.
    -- Keys and header values never come here, only the names of their variables.
    kind            text not null check (kind in ('agent', 'judge', 'user')),
    entrant         text not null,
    entrant_digest  text not null,
    vendor          text not null,
    family          text not null,
    version         text not null,
    model           text,
    api_base        text,
    region          text not null,
    description     text not null,          -- the configuration as JSON
    first_run       text not null,
    primary key (kind, entrant, entrant_digest)
);
insert into entrant from entrant_before;
drop table entrant_before;
