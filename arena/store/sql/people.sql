-- Statements about what people said.

-- name: verdicts_of_people
-- Readable verdicts of people whose transcript a is among the keys wanted, and why each was asked.
select
    said.key, vote_draw.why, said.outcome, said.judge, said.transcript_a, said.transcript_b,
    said.agent_a, said.agent_b, said.scenario, said."order", said.judge_replicate
from current_verdict as said
join wanted on wanted.key = said.transcript_a
left join vote on vote.verdict = said.key and vote.attempt = said.attempt
left join vote_draw on vote_draw.plan = vote.plan and vote_draw.place = vote.place
where starts_with(said.judge, 'human:') and said.status = 'ok' and said.outcome is not null
order by wanted.place, said.key;

-- name: criteria_of_people
-- What these verdicts say of each criterion.
select said.key, verdict_criterion.criterion, verdict_criterion.side
from current_verdict as said
join wanted on wanted.key = said.transcript_a
join verdict_criterion
    on verdict_criterion.verdict = said.key and verdict_criterion.attempt = said.attempt
where starts_with(said.judge, 'human:') and said.status = 'ok' and said.outcome is not null
order by wanted.place, said.key, verdict_criterion.criterion;

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
