-- The current answer to each sheet, presentation and commentary: the latest readable attempt, else
-- the latest. What a person took back is none.

create or replace view current_sheet as
select *
from sheet
qualify row_number() over (
    partition by key order by (status = 'ok') desc, attempt desc
) = 1;

create or replace view current_verdict as
select *
from verdict
anti join vote_withdrawn
    on vote_withdrawn.verdict = verdict.key and vote_withdrawn.attempt = verdict.attempt
qualify row_number() over (
    partition by key order by (status = 'ok') desc, attempt desc
) = 1;

create or replace view current_commentary as
select *
from commentary
qualify row_number() over (
    partition by key order by (status = 'ok') desc, attempt desc
) = 1;

create or replace view latest_call as
select *
from call
qualify row_number() over (
    partition by serves, round, speaker order by (status = 'ok') desc, attempt desc
) = 1;
