/** Why a call failed, as far as a machine can act on it. Retry and repair read this, not the message. */
export type ErrorClass =
  | 'transient'
  | 'rate_limited'
  | 'input_validation'
  | 'authorization'
  | 'semantic'
  | 'not_found'
  | 'server'
  | 'rejected'
  | 'deadline'
  | 'cancelled'

/** What all failures of one code have in common. */
export interface FailureKind {
  readonly class: ErrorClass
  readonly retryable: boolean
  readonly hint: string
}

/** Every failure that Toolwright itself reports in a result. Each code has a page under docs/errors. */
export const FAILURES = Object.freeze({
  invalid_arguments: kind('input_validation', false, 'Send the arguments as one JSON object that follows the schema of the tool.'),
  invalid_input: kind('input_validation', false, 'Correct the listed fields and call again.'),
  invalid_output: kind('semantic', false, 'The output does not fit the output schema of the tool. Try another input, or another tool.'),
  implausible_output: kind(
    'semantic',
    false,
    'The output breaks a rule, so it was not used. Try another input, or another tool. If the tool changes something, check whether it did.',
  ),
  sources_disagree: kind(
    'semantic',
    false,
    'The sources contradict each other, and nobody resolved it. The message says what each of them gave. Ask a person, or another source.',
  ),
  adapter_failed: kind('semantic', false, 'A function between two tools failed. Report the message; the input may be unusual.'),
  no_route: kind('input_validation', false, 'No route takes this input. Change it so that one of the listed routes does.'),
  ambiguous: kind('semantic', false, 'The request is not clear enough. Make it more exact and call again.'),
  loop_exhausted: kind(
    'semantic',
    false,
    'The condition was not reached. Look at the last result, then change the input or allow more turns.',
  ),
  branches_failed: kind(
    'semantic',
    false,
    'The message says which branches failed and why. Act on their reasons; the steps hold what the others gave.',
  ),
  quorum_not_met: kind(
    'semantic',
    false,
    'Too few branches succeeded to be trusted. The message says which failed and why; the steps hold what the others gave.',
  ),
  fallback_exhausted: kind(
    'server',
    false,
    'Every level failed or was skipped; the message says why. Act on their reasons, or say that there is no answer at the moment.',
  ),
  budget_exceeded: kind('semantic', false, 'There are no tokens or no money left for this. Ask for less, or allow more.'),
  tool_failed: kind('semantic', false, 'Read the message, change the input, or use another tool.'),
  tool_crashed: kind('server', false, 'The tool has a defect. Use another tool and report the message.'),
  service_unavailable: kind('transient', true, 'Call again after a short pause.'),
  rate_limited: kind('rate_limited', true, 'Call again after the stated time.'),
  circuit_open: kind(
    'transient',
    true,
    'The service behind the tool has failed often, and is left alone for a while. Call again after the stated time, or use another tool.',
  ),
  upstream_error: kind('server', true, 'The service behind the tool failed. Call again, or use another tool.'),
  access_denied: kind('authorization', false, 'The credentials behind the tool do not allow this. Ask a person.'),
  not_found: kind('not_found', false, 'Search for the right name or id, then call again.'),
  invalid_request: kind('input_validation', false, 'The service behind the tool refused the input. Correct it and call again.'),
  conflict: kind('semantic', false, 'The data has changed since it was read. Read it again, then decide.'),
  idempotency_conflict: kind(
    'input_validation',
    false,
    'The key belongs to a call with another input. Send that input again, or use a new key for a new request.',
  ),
  path_refused: kind('input_validation', false, 'Name a regular file inside the root folder, by a relative path without links.'),
  url_refused: kind(
    'input_validation',
    false,
    'Use a complete http or https URL of a public host, without a user and on a usual port. Do not try another way to the same host.',
  ),
  response_too_large: kind(
    'semantic',
    false,
    'The answer is larger than allowed. Ask for less: a smaller page, fewer fields, a later part.',
  ),
  unreadable_page: kind('semantic', false, 'The document is broken, or made to be hard to read. Look for another page about it.'),
  not_text: kind('semantic', false, "Read it with encoding 'base64', or use a tool that is made for this kind of file."),
  argument_refused: kind('input_validation', false, 'Correct the value that the message names and call again.'),
  process_not_started: kind(
    'server',
    false,
    'The program behind the tool cannot be started here. Use another tool, and report the message.',
  ),
  process_failed: kind(
    'semantic',
    false,
    'The program behind the tool failed. Read what it wrote, then correct the input or use another tool.',
  ),
  permission_denied: kind(
    'authorization',
    false,
    'The caller lacks a permission that this tool declares. Ask for it, or use another tool.',
  ),
  policy_denied: kind('authorization', false, 'A policy forbids this call. Choose another way.'),
  rejected: kind('rejected', false, 'A person declined this call. Do not repeat it; ask what they want instead.'),
  review_timed_out: kind('rejected', false, 'Nobody decided in time. Say that a person must decide; call again when one is there.'),
  reviewer_unreachable: kind(
    'rejected',
    false,
    'No person who may decide could be asked. Say that a person must decide; do not look for another way.',
  ),
  approval_pending: kind(
    'rejected',
    false,
    'A person must approve before the call can go on. Call again with exactly the same input: they are asked then.',
  ),
  run_pending: kind(
    'deadline',
    false,
    "The call goes on as a durable run. Do not call again: ask 'run_status' with the id of the run, later.",
  ),
  input_not_showable: kind(
    'input_validation',
    false,
    'A person must see all of an input before they approve it. Send it with fewer levels, or in parts.',
  ),
  deadline_exceeded: kind('deadline', false, 'There was not enough time. Ask for less, or allow a longer deadline.'),
  cancelled: kind('cancelled', false, 'The caller withdrew the call.'),
  outcome_unknown: kind(
    'server',
    false,
    'The call was interrupted, and it is not known whether it took effect. Check before repeating it.',
  ),
  not_serializable: kind(
    'semantic',
    false,
    'A durable run keeps plain data only. Return values without functions, cycles or class instances.',
  ),
  result_too_large: kind(
    'semantic',
    false,
    'A durable run keeps the results of its steps, and this one is too large. Store it elsewhere and return its location.',
  ),
  tool_changed: kind(
    'authorization',
    false,
    'The server behind the tool now says something else of it than when it was accepted. A person must look at it and accept it anew.',
  ),
  unknown_tool: kind('not_found', false, 'Call one of the tools on the list.'),
  journal_failed: kind('server', true, 'The record of the run could not be written. Check the store behind the journal.'),
  store_unavailable: kind('transient', true, 'The database cannot be reached at the moment. Call again after a short pause.'),
  store_credentials: kind('authorization', false, 'The database refused user, password or database name. A person has to correct them.'),
  store_full: kind('server', false, 'The disk of the database is full. A person has to make room; then call again.'),
} as const satisfies Record<string, FailureKind>)

/** Every mistake in a program that `ConfigurationError` reports. Each code has a page under docs/errors. */
export const CONFIGURATION_ERRORS = Object.freeze([
  'invalid_name',
  'invalid_definition',
  'invalid_schema',
  'invalid_option',
  'duplicate_name',
  'not_a_tool',
  'missing_package',
  'missing_review_handler',
  'missing_service',
  'missing_secrets',
  'missing_model',
  'undeclared_part',
  'invalid_label',
  'review_inside_step',
  'needs_durable_run',
  'replay_diverged',
  'store_version',
  'unsafe_home',
  'plan_changed',
  'unregistered_tool',
  'key_conflict',
  'unknown_run',
  'run_not_open',
  'nothing_to_settle',
  'run_keeps_dying',
  'missing_encryption_key',
  'unsealed_value',
  'seal_broken',
  'runtime_closed',
] as const)

/** The code of a failure that Toolwright itself reports in a result. */
export type FailureCode = keyof typeof FAILURES
/** The code of a mistake in the program, as a `ConfigurationError` carries it. */
export type ConfigurationCode = (typeof CONFIGURATION_ERRORS)[number]

export function isFailureCode(code: string): code is FailureCode {
  return Object.hasOwn(FAILURES, code)
}

function kind(errorClass: ErrorClass, retryable: boolean, hint: string): FailureKind {
  return Object.freeze({ class: errorClass, retryable, hint })
}
