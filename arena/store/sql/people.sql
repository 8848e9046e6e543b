-- Statements about what people said.

-- name: verdicts_of_people
-- Readable verdicts of people whose transcript a is among the keys wanted.
select
    judge, transcript_a, transcript_b, agent_a, agent_b, scenario, "order", judge_replicate,
    outcome
from current_verdict
join wanted on wanted.key = current_verdict.transcript_a
where starts_with(judge, 'human:') and status = 'ok' and outcome is not null
order by wanted.place, current_verdict.key;

-- name: verdict_repeats
-- How often one presentation was put to one judge, at most.
select judge_replicate from verdict order by judge_replicate desc limit 1;

-- name: flag_decision_add
-- One row of the table flag_decision; the same decision is stored once.
insert into flag_decision values ($flag, $person, $decided, $note, $run, $at)
on conflict do nothing;

-- name: flag_decisions_all
-- Every decision about a flag that was not taken back, in the order in which they were made.
select flag, person, decided, decided_at, note
from flag_decision
anti join flag_withdrawn using (flag, person, decided_at)
order by decided_at, flag, person;

-- name: flag_decision_kept
-- What was decided then, taken back or not; no row: nothing.
select decided from flag_decision
where flag = $flag and person = $person and decided_at = $decided_at
order by decided_at;

-- name: flag_decision_withdraw
-- A decision is taken back; once.
insert into flag_withdrawn values ($flag, $person, $decided_at, $run, $at)
on conflict do nothing;
