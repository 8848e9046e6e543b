-- name: run_add
-- One row of the table run.
insert into run values ($run, $command, $version, $seed, $note, $started_at);

-- name: entrant_add
-- One row of the table entrant; what is known already stays as it is.
insert into entrant values (
    $kind, $entrant, $entrant_digest, $vendor, $family, $version, $model, $api_base, $region,
    $description, $first_run
) on conflict do nothing;

-- name: wanted_keys
-- Keys that a plan wants, in its order; the appender fills it.
create temp table wanted (place integer, key text);

-- name: transcripts_missing
-- Keys wanted and not yet finished.
select wanted.key
from wanted
anti join transcript using (key)
order by wanted.place;

-- name: rounds_done
-- The latest call of each round of the transcripts wanted, with its reply.
select
    latest_call.serves, latest_call.round, latest_call.status, latest_call.attempt,
    latest_call.key, latest_call.text
from latest_call
semi join wanted on wanted.key = latest_call.serves
where latest_call.serves_kind = 'transcript' and latest_call.speaker = 'agent'
order by latest_call.serves, latest_call.round;

-- name: user_done
-- The latest call by which a simulated user opened each round, shaped like rounds_done.
select
    latest_call.serves, latest_call.round, latest_call.status, latest_call.attempt,
    latest_call.key, latest_call.text
from latest_call
semi join wanted on wanted.key = latest_call.serves
where latest_call.serves_kind = 'transcript' and latest_call.speaker = 'user'
order by latest_call.serves, latest_call.round;

-- name: ended_last
-- How the latest call to the agent ended, per key wanted: a dialogue that began anew goes back.
select
    call.serves,
    arg_max(call.status, (call.ended_at, call.round, call.attempt)) as status,
    arg_max(call.round, (call.ended_at, call.round, call.attempt)) as reached
from call
semi join wanted on wanted.key = call.serves
where call.speaker = 'agent'
group by call.serves
order by call.serves;

-- name: attempts_made
-- How many attempts each wanted key and round has had, over all runs.
select call.serves, call.round, max(call.attempt) as attempts
from call
semi join wanted on wanted.key = call.serves
group by call.serves, call.round
order by call.serves, call.round;

-- name: judged_last
-- The latest call of each wanted sheet or presentation, shaped like rounds_done.
select
    latest_call.serves, latest_call.round, latest_call.status, latest_call.attempt,
    latest_call.key, latest_call.text
from latest_call
semi join wanted on wanted.key = latest_call.serves
where latest_call.speaker = 'judge'
order by latest_call.serves, latest_call.round;

-- name: transcripts_all
-- Finished transcripts among the keys wanted.
select
    transcript.suite, transcript.shown, transcript.mode, transcript.agent,
    transcript.agent_digest, transcript.scenario, transcript.user_kind, transcript.replicate,
    transcript.origin, transcript.rounds, transcript.messages, transcript.calls, transcript.ended_at
from transcript
join wanted using (key)
order by wanted.place;

-- name: sheets_all
-- The current sheet of each key wanted.
select
    current_sheet.key, current_sheet.attempt, current_sheet.status, current_sheet.summary,
    current_sheet.remarks, current_sheet.flags, current_sheet.call, current_sheet.ended_at
from current_sheet
join wanted using (key)
order by wanted.place;

-- name: scores_all
-- The scores of the current sheets wanted.
select score.sheet, score.criterion, score.value, score.comment
from score
join current_sheet on current_sheet.key = score.sheet and current_sheet.attempt = score.attempt
join wanted on wanted.key = score.sheet
order by wanted.place, score.criterion;

-- name: verdicts_all
-- The current verdict of each key wanted.
select
    current_verdict.key, current_verdict.attempt, current_verdict.status,
    current_verdict.outcome, current_verdict.margin, current_verdict.reason,
    current_verdict.flags, current_verdict.code_a, current_verdict.code_b,
    current_verdict.call, current_verdict.ended_at
from current_verdict
join wanted using (key)
order by wanted.place;

-- name: verdicts_beginning
-- Presentations that have an answer, by the beginning of their keys.
select distinct
    verdict.transcript_a, verdict.transcript_b, verdict.agent_a, verdict.agent_b,
    verdict.scenario, verdict.replicate, verdict.judge, verdict.judge_digest,
    verdict.template, verdict.rubric, verdict.notes, verdict.cut, verdict."order",
    verdict.judge_replicate
from verdict
where starts_with(verdict.key, $beginning)
order by all;

-- name: verdict_criteria_all
-- The criteria of the current verdicts wanted.
select
    verdict_criterion.verdict, verdict_criterion.criterion, verdict_criterion.side,
    verdict_criterion.strength
from verdict_criterion
join current_verdict
    on current_verdict.key = verdict_criterion.verdict
    and current_verdict.attempt = verdict_criterion.attempt
join wanted on wanted.key = verdict_criterion.verdict
order by wanted.place, verdict_criterion.criterion;

-- name: commentaries_all
-- The current commentary of each key wanted.
select
    current_commentary.key, current_commentary.attempt, current_commentary.status,
    current_commentary.text, current_commentary.flags, current_commentary.call,
    current_commentary.ended_at
from current_commentary
join wanted using (key)
order by wanted.place;

-- name: calls_of
-- The calls that serve the keys wanted, in order.
select
    call.serves, call.serves_kind, call.speaker, call.entrant, call.round, call.attempt,
    call.status, call.text, call.tokens_in, call.tokens_out, call.cost, call.currency,
    call.latency_ms, call.error, call.complaint, call.model_returned, call.key
from call
join wanted on wanted.key = call.serves
order by wanted.place, call.round, call.attempt;

-- name: prompts_sent
-- Digests of what was sent for one key.
select distinct prompt_digest
from call
where serves = $key
order by prompt_digest;

-- name: ways_of
-- How the calls that serve the keys wanted were made, and how many each way.
select
    call.speaker, call.entrant, call.model_asked, call.model_returned, call.host,
    call.params_sent, call.params_dropped, count(*)
from call
semi join wanted on wanted.key = call.serves
group by all
order by all;

-- name: models_served
-- What served the calls wanted, as their providers said.
select call.key, call.model_returned
from call
semi join wanted on wanted.key = call.key
where call.model_returned is not null
order by call.key;

-- name: strings_of_run
-- Model strings that served each speaker and entrant in one run, first met first.
select speaker, entrant, model_returned
from call
where run = $run and model_returned is not null
group by speaker, entrant, model_returned
order by speaker, entrant, min(ended_at), model_returned;

-- name: strings_newest
-- What served each judge last, of all runs.
select entrant, arg_max(model_returned, (ended_at, key)) as model
from call
where speaker = 'judge' and model_returned is not null
group by entrant
order by entrant;

-- name: board_add
-- One row of the table board; the same board is stored once.
insert into board values (
    $key, $suite, $suite_version, $suite_digest, $mode, $panel, $data_cut, $data_digest,
    $document, $run, $at
) on conflict do nothing;

-- name: board_latest
-- The board computed last for a suite, mode and data cut.
select document
from board
where suite = $suite and mode = $mode and data_cut = $data_cut
order by ended_at desc, key
limit 1;

-- name: report_add
-- One row of the table report; the same report is stored once.
insert into report values (
    $key, $kind, $suite, $suite_version, $mode, $data_cut, $board_digest, $document, $run, $at
) on conflict do nothing;

-- name: report_latest
-- The report computed last for a kind, suite, mode and data cut.
select document
from report
where kind = $kind and suite = $suite and mode = $mode and data_cut = $data_cut
order by ended_at desc, key
limit 1;

-- name: counts
-- Rows per table.
select
    (select count(*) from transcript) as transcripts,
    (select count(*) from current_sheet where status = 'ok') as sheets,
    (select count(*) from current_verdict where status = 'ok') as verdicts,
    (select count(*) from call) as calls,
    (select count(*) from board) as boards;
