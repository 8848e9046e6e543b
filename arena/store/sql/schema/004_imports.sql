-- Results that others made: where they came from, and which rows are theirs. The rows themselves
-- stand in transcript, sheet and verdict like any other; what has no row here was made here.

create table origin (
    -- A row per import that came in to its end, and per state of what is known of its agents.
    origin          text not null,          -- the digest that stands in transcript.origin
    makers          text not null,          -- JSON: agent → [vendor, family]
    format          text not null,
    source          text not null,          -- name of the file or folder
    suite           text not null,
    orders          text not null check (orders in ('both', 'one')),
    counts          text not null,          -- JSON: rows by kind
    left_out        text not null,          -- JSON: reason → [how often, first place]
    run             text not null,
    imported_at     text not null,
    primary key (origin, makers)
);

create table imported (
    -- A row per transcript, sheet and verdict of an import.
    kind            text not null check (kind in ('transcript', 'sheet', 'verdict')),
    key             text not null,          -- of the row in the table of that kind
    origin          text not null,
    mode            text not null,
    place           text not null,          -- file:line, or the path inside a document
    raw             text,                   -- as it stood in the file; null: all of it is in the row
    run             text not null,
    primary key (kind, key)
);
