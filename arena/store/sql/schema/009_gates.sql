-- What people decided about red flags. Rows are added, never updated: of each person the latest
-- decision about a flag counts.

create table flag_decision (
    -- A row per decision. A flag has no row of its own: it follows from what judges answered.
    flag            text not null,          -- digest of the transcript and of which flag it is
    person          text not null,          -- human:ID
    decided         text not null check (decided in ('confirm', 'reject', 'unsure')),
    note            text not null,
    run             text not null,
    decided_at      text not null,
    primary key (flag, person, decided_at)
);
