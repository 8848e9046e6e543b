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

-- name: spend
-- Calls, tokens and money per entrant and currency; `unpriced` are calls whose cost is unknown.
-- A refusal costs 0 where there is a price; a time-out may have been billed; a replay never is.
with paid as (
    select speaker, entrant, currency, tokens_in, tokens_out, cost, status, model_asked from call
    union all
    select speaker, entrant, currency, tokens_in, tokens_out, cost, status, model_asked from ping
)
select
    speaker, entrant, currency,
    count(*) as calls,
    sum(tokens_in) as tokens_in,
    sum(tokens_out) as tokens_out,
    sum(cost) as cost,
    count(*) filter (
        where cost is null and (status <> 'error' or currency is not null)
        and model_asked not like 'replay/%'
    ) as unpriced
from paid
group by speaker, entrant, currency
order by speaker, entrant, currency;

-- name: ping_add
-- One row of the table ping; the same attempt is stored once.
insert into ping values (
    $key, $speaker, $entrant, $entrant_digest, $attempt, $status, $model_asked, $model_returned,
    $host, $tokens_in, $tokens_out, $cost, $currency, $latency_ms, $error, $run, $at
) on conflict do nothing;

-- name: newest_row
-- When the youngest of what was asked ended, and the youngest command began.
select started_at from run
union all
select ended_at from call
order by started_at desc
limit 1;

-- name: spend_stages
-- As `spend`, apart for what the calls serve; the calls of a check serve it alone.
with paid as (
    select
        serves_kind, speaker, entrant, currency, tokens_in, tokens_out, cost, status, model_asked
    from call
    union all
    select
        'check', speaker, entrant, currency, tokens_in, tokens_out, cost, status, model_asked
    from ping
)
select
    serves_kind, speaker, entrant, currency,
    count(*) as calls,
    sum(tokens_in) as tokens_in,
    sum(tokens_out) as tokens_out,
    sum(cost) as cost,
    count(*) filter (
        where cost is null and (status <> 'error' or currency is not null)
        and model_asked not like 'replay/%'
    ) as unpriced
from paid
group by serves_kind, speaker, entrant, currency
order by serves_kind, speaker, entrant, currency;

-- name: spend_wanted
-- As `spend_stages`, of the calls that serve the keys wanted.
select
    call.serves_kind, call.speaker, call.entrant, call.currency,
    count(*) as calls,
    sum(call.tokens_in) as tokens_in,
    sum(call.tokens_out) as tokens_out,
    sum(call.cost) as cost,
    count(*) filter (
        where call.cost is null and (call.status <> 'error' or call.currency is not null)
        and call.model_asked not like 'replay/%'
    ) as unpriced
from call
join wanted on wanted.key = call.serves
group by call.serves_kind, call.speaker, call.entrant, call.currency
order by call.serves_kind, call.speaker, call.entrant, call.currency;

-- name: observed
-- Median tokens of the replies so far, per entrant and kind of work.
select
    entrant, serves_kind,
    median(tokens_out) as tokens_out,
    median(tokens_in) as tokens_in,
    median(latency_ms) as latency_ms,
    count(*) as calls
from call
where status = 'ok' and tokens_out is not null
group by entrant, serves_kind
order by entrant, serves_kind;

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

-- name: counts
-- Rows per table.
select
    (select count(*) from transcript) as transcripts,
    (select count(*) from current_sheet where status = 'ok') as sheets,
    (select count(*) from current_verdict where status = 'ok') as verdicts,
    (select count(*) from call) as calls,
    (select count(*) from board) as boards;

-- name: origins_all
-- Imports that came in to their end, the latest state of each, in the order in which they came.
select origin, makers, format, source, suite, orders, counts, left_out, imported_at
from origin
qualify row_number() over (partition by origin order by imported_at desc, makers) = 1
order by imported_at, origin;

-- name: origin_modes
-- The modes that an import has rows of.
select distinct origin, mode from imported order by origin, mode;

-- name: origin_agents
-- The agents that an import has rows of.
select distinct imported.origin, transcript.agent
from imported
join transcript on imported.kind = 'transcript' and transcript.key = imported.key
union
select distinct imported.origin, unnest([verdict.agent_a, verdict.agent_b]) as agent
from imported
join verdict on imported.kind = 'verdict' and verdict.key = imported.key
order by all;

-- name: imported_there
-- Rows of imports among the keys wanted: kind and key.
select imported.kind, imported.key
from imported
join wanted using (key)
order by wanted.place, imported.kind;

-- name: imported_transcripts
-- The transcripts of an import in one mode.
select
    transcript.suite, transcript.shown, transcript.mode, transcript.agent,
    transcript.agent_digest, transcript.scenario, transcript.user_kind, transcript.replicate,
    transcript.origin, transcript.rounds
from transcript
join imported on imported.kind = 'transcript' and imported.key = transcript.key
where imported.origin = $origin and imported.mode = $mode
order by transcript.scenario, transcript.agent, transcript.replicate, transcript.key;

-- name: imported_sheets
-- The sheets of an import in one mode, with the agent and scenario that they are of.
select distinct
    sheet.transcript, transcript.agent, transcript.scenario, sheet.judge, sheet.judge_digest,
    sheet.template, sheet.rubric, sheet.notes, sheet.cut, sheet.scope, sheet.round,
    sheet.judge_replicate
from sheet
join imported on imported.kind = 'sheet' and imported.key = sheet.key
join transcript on transcript.key = sheet.transcript
where imported.origin = $origin and imported.mode = $mode
order by all;

-- name: imported_verdicts
-- The presentations of an import in one mode.
select distinct
    verdict.transcript_a, verdict.transcript_b, verdict.agent_a, verdict.agent_b,
    verdict.scenario, verdict.replicate, verdict.judge, verdict.judge_digest, verdict.template,
    verdict.rubric, verdict.notes, verdict.cut, verdict."order", verdict.judge_replicate
from verdict
join imported on imported.kind = 'verdict' and imported.key = verdict.key
where imported.origin = $origin and imported.mode = $mode
order by all;

-- name: imported_raw
-- What stood in the file, and where, for each key wanted.
select imported.kind, imported.key, imported.place, imported.raw
from imported
join wanted using (key)
order by wanted.place, imported.kind;

-- name: plan_add
-- One row of the table plan; the same plan is stored once.
insert into plan
select
    $key, coalesce(max(place), 0) + 1, $suite, $mode, $design, $options, $seed, $agents, $places,
    $comparisons, $parts, $scores, $unscored, $evened, $history, $follows, $run
from plan
on conflict do nothing;

-- name: plan_latest
-- The plan in force for a suite and mode.
select
    key, suite, mode, design, options, seed, agents, places, comparisons, parts, scores,
    unscored, evened, history, follows
from plan
where suite = $suite and mode = $mode
order by place desc
limit 1;

-- name: look_add
-- One row of the table look; what was seen at a look stays as it is.
insert into look values (
    $plan, $number, $looks, $level, $pairs, $undecided, $widest, $stopped, $run
) on conflict do nothing;

-- name: looks_of
-- The looks of a plan, in order.
select number, looks, level, pairs, undecided, widest, stopped
from look
where plan = $plan
order by number;

-- name: flag_decision_add
-- One row of the table flag_decision; the same decision is stored once.
insert into flag_decision values ($flag, $person, $decided, $note, $run, $at)
on conflict do nothing;

-- name: flag_decisions_all
-- Every decision about a flag, in the order in which they were made.
select flag, person, decided, decided_at, note
from flag_decision
order by decided_at, flag, person;
