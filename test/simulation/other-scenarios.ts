import {
  a,
  ask,
  b,
  begin,
  c,
  claim,
  commit,
  decide,
  end,
  endWithEntry,
  fetch,
  park,
  rollback,
  start,
  startOn,
  write,
  vote,
} from './scenario-steps.ts'
import type { Scenario, ScenarioStep } from './scenario.ts'

const LATER = new Date('2100-01-01')

/** A run that is under way, with an open request. */
const ASKING: readonly ScenarioStep[] = [start('r1'), fetch, claim(a, ['r1']), ask(a, 'q1', 'r1')]

/** The other statements with what they need and without, and pairs that meet at the same row. */
export const OTHER_SCENARIOS: readonly Scenario[] = [
  {
    title: 'park: for people, for a time, and not at all',
    steps: [
      ...[...ASKING, park(a, 'r1', 0, { open: ['q1'] }), park(a, 'r1', 1, { open: ['q1', 'no'] }), a('read run', 'r1'), fetch],
      ...[park(a, 'r1', 1), decide(a, 'q1', 'r1'), a('read run', 'r1'), fetch, claim(a, ['r1'], { tickets: [2] })],
      ...[park(a, 'r1', 2, { until: LATER }), a('read run', 'r1'), fetch, startOn(a, 'r2', null, { timeLeftMs: 1000 }), fetch],
      ...[claim(a, ['r2']), park(a, 'r2', 1, { until: new Date(0) }), a('read run', 'r2'), fetch, a('read entries', 'r1')],
    ],
  },
  {
    title: 'park: for a time after its deadline, which only a run that does not know of it is woken by',
    steps: [
      ...[startOn(a, 'r1', null, { timeLeftMs: 0 }), fetch, claim(a, ['r1']), park(a, 'r1', 1, { until: LATER, isOutOfTime: true })],
      ...[a('read run', 'r1'), fetch, startOn(a, 'r2', null, { timeLeftMs: 0 }), fetch, claim(a, ['r2'])],
      ...[park(a, 'r2', 1, { until: LATER }), fetch],
    ],
  },
  {
    title: 'park: refused by a decision and by a cancellation, unless it knows of it',
    steps: [
      ...[...ASKING, ask(a, 'q2', 'r1', { path: 'two' }), decide(a, 'q1', 'r1'), decide(a, 'q2', 'r1', 'two')],
      ...[park(a, 'r1', 1, { open: ['q1'] }), park(a, 'r1', 1, { open: ['q2', 'q1'] }), a('cancel', 'r1', '{"reason":"one"}')],
      ...[park(a, 'r1', 1, { until: LATER }), park(a, 'r1', 1, { until: LATER, isCancelled: true }), a('read run', 'r1')],
    ],
  },
  {
    title: 'park and decide: the decision waits, and finds a run that waits',
    steps: [
      ...[...ASKING, a(begin), park(a, 'r1', 1, { open: ['q1'] }), b('read open', 'q1'), decide(b, 'q1', 'r1'), a(commit)],
      ...[a('read run', 'r1'), a('read request', 'q1'), fetch, a('read decided', ['q1', 'no'])],
    ],
  },
  {
    title: 'decide and park: what was decided is seen',
    steps: [...ASKING, b(begin), decide(b, 'q1', 'r1'), park(a, 'r1', 1, { open: ['q1'] }), b(commit), a('read run', 'r1')],
  },
  {
    title: 'decide and decide: the second does not count',
    steps: [
      ...[...ASKING, a(begin), decide(a, 'q1', 'r1'), decide(b, 'q1', 'r1'), a(commit), decide(a, 'q1', 'r1'), decide(a, 'no', 'r1')],
      ...[decide(a, 'q1', 'no'), decide(a, 'no', null), a('read request', 'q1')],
    ],
  },
  {
    title: 'vote and vote: the second has read an old ballot',
    steps: [
      ...[...ASKING, a(begin), vote(a, 'q1', 'r1'), vote(b, 'q1', 'r1'), a(commit), vote(b, 'q1', 'r1', 1), a('read open', 'q1')],
      ...[vote(a, 'no', 'r1'), vote(a, 'q1', 'no', 2), vote(a, 'no', null), a('read request', 'q1')],
    ],
  },
  {
    title: 'vote and decide: the decision has read an old ballot',
    steps: [
      ...[...ASKING, a(begin), vote(a, 'q1', 'r1'), decide(b, 'q1', 'r1'), a(commit), a('read request', 'q1')],
      ...[decide(b, 'q1', 'r1', { ballotNo: 1 }), vote(a, 'q1', 'r1', 1), a('read request', 'q1')],
    ],
  },
  {
    title: 'vote: what a cancelled run asked is over',
    steps: [...ASKING, a('cancel', 'r1', '{}'), vote(a, 'q1', 'r1'), a('read request', 'q1')],
  },
  {
    title: 'decide: what a cancelled run asked is over',
    steps: [
      ...[...ASKING, ask(a, 'q2', 'r1', { path: 's/undo.pay:approval' }), a('cancel', 'r1', '{}'), decide(a, 'q1', 'r1')],
      ...[decide(a, 'q2', 'r1', 's/undo.pay:approval'), a('read request', 'q1'), a('read request', 'q2')],
    ],
  },
  {
    title: 'ask and cancel: who cancels meanwhile does not see what is asked',
    steps: [
      ...[start('r1'), fetch, claim(a, ['r1']), a(begin), ask(a, 'q1', 'r1'), b('cancel', 'r1', '{}'), a(commit), a('read request', 'q1')],
      ...[a('read open', 'q1'), decide(a, 'q1', 'r1'), end(a, 'r1', 1, { status: 'cancelled', why: '{}' }), a('read request', 'q1')],
    ],
  },
  {
    title: 'end with entry: both or none, once, and under the fence',
    steps: [
      ...[...ASKING, write(a, 'r1', 1), endWithEntry(a, 'r1', 0), a('read entries', 'r1'), endWithEntry(a, 'r1', 1)],
      ...[endWithEntry(a, 'r1', 1, 'again'), a('read entries', 'r1'), a('read run', 'r1'), a('read request', 'q1')],
    ],
  },
  {
    title: 'end with entry: waits for who has the run, and then finds that it is lost',
    steps: [
      ...[start('r1'), fetch, claim(a, ['r1']), a(begin), a('put back', 'r1', 1, null, []), endWithEntry(b, 'r1', 1), a(commit)],
      ...[a('read entries', 'r1'), a('read run', 'r1')],
    ],
  },
  {
    title: 'end and cancel: the cancellation finds a run that has ended',
    steps: [...ASKING, a(begin), end(a, 'r1', 1), b('cancel', 'r1', '{}'), a(commit), a('read request', 'q1'), a('read run', 'r1')],
  },
  {
    title: 'cancel and end: the end waits, and is the end',
    steps: [
      ...[...ASKING, b(begin), b('cancel', 'r1', '{"reason":"one"}'), b('cancel', 'r1', '{"reason":"two"}'), end(a, 'r1', 1), b(commit)],
      ...[a('look', ['r1', 'no']), a('cancel', 'no', '{}'), a('read request', 'q1')],
    ],
  },
  {
    title: 'cancel: what stands still is queued, also what was to begin later',
    steps: [
      ...[start('r1'), startOn(a, 'r2', null, { startAt: LATER }), start('r3'), a('hold back', ['r3'], [0]), a('cancel', 'r1', '{}')],
      ...[a('cancel', 'r2', '{}'), a('cancel', 'r3', '{}'), fetch, a('read run', 'r1'), a('read run', 'r2'), a('read run', 'r3')],
      ...[claim(a, ['r1']), end(a, 'r1', 1, { status: 'blocked', why: '{}' }), a('cancel', 'r1', '{}'), a('read run', 'r1')],
    ],
  },
  {
    title: 'end: not under another epoch, twice the same, and a block leaves requests open',
    steps: [
      ...[...ASKING, end(a, 'r1', 0), end(a, 'no', 1), end(a, 'r1', 1, { status: 'blocked', why: '{"code":"plan_changed"}' })],
      ...[a('read request', 'q1'), end(a, 'r1', 1, { status: 'failed', why: '{}' }), end(a, 'r1', 1, { status: 'blocked', why: '{}' })],
      ...[a('resume', 'r1'), a('resume', 'r1'), a('resume', 'no'), fetch, claim(a, ['r1'], { tickets: [1] })],
      ...[
        end(a, 'r1', 2, { status: 'failed', why: '{"code":"tool_failed"}' }),
        end(a, 'r1', 2, { status: 'failed' }),
        a('read request', 'q1'),
      ],
    ],
  },
  {
    title: 'end: texts that cannot be read are refused',
    steps: [
      ...[start('r1'), fetch, claim(a, ['r1']), end(a, 'r1', 1, { status: 'failed', why: String.raw`{"message":"\ud83d"}` })],
      ...[end(a, 'r1', 1, { status: 'failed', why: String.raw`{"message":"\u0000"}` })],
      ...[end(a, 'r1', 1, { status: 'failed', why: '{"message":"\0"}' })],
      ...[end(a, 'r1', 0, { status: 'failed', why: String.raw`{"message":"\ud83d"}` })],
      end(a, 'r1', 1, { status: 'failed', why: String.raw`{"message":"\ud83d\ude00"}` }),
    ],
  },
  {
    title: 'a failed statement ends what its transaction can do',
    steps: [
      ...[start('r1'), fetch, claim(a, ['r1']), a(begin), a('take all the time')],
      ...[end(a, 'r1', 1, { status: 'failed', why: String.raw`{"message":"\u0000"}` }), b('lock status', 'r1'), a('lock status', 'r1')],
      ...[a(rollback), a('lock status', 'r1')],
    ],
  },
  {
    title: 'prune and start: a key is free when its run is gone',
    steps: [
      ...[start('r1', 'k'), fetch, claim(a, ['r1']), write(a, 'r1', 1), ask(a, 'q1', 'r1'), end(a, 'r1', 1), start('r2', 'k2'), a(begin)],
      ...[a('prune', ['completed'], null, 'infinity', ''), b(begin), b('find by key', 'k'), a(commit), b('find by key', 'k'), b(commit)],
      ...[start('r3', 'k'), a('read entries', 'r1'), a('read request', 'q1')],
    ],
  },
  {
    title: 'prune: leaves what somebody holds, and what is open or of another status',
    steps: [
      ...[start('r1'), start('r2'), fetch, claim(a, ['r1', 'r2']), end(a, 'r1', 1, { status: 'failed', why: '{}' }), end(a, 'r2', 1)],
      ...[b(begin), b('lock status', 'r2'), a('prune', ['completed', 'failed'], null, 'infinity', ''), b(commit)],
      ...[a('prune', ['failed'], null, 'infinity', ''), a('read run', 'r2')],
    ],
  },
  {
    title: 'limits: counted, held back, let go',
    steps: [
      ...[start('r1'), start('r2'), start('r3'), fetch, claim(a, ['r1']), a(begin), a('lock limit', 'pay'), b('lock limit', 'pay')],
      ...[a('find cancelled', ['r1', 'r2']), a('count under way', 'pay', ['r2'], 10_000), a('count started', 'pay', 60_000, ['r2'])],
      ...[
        a('hold back', ['r2', 'r3', 'no', 'r1'], [0, 0, 0, 4]),
        a(commit),
        b('lock limit', 'pay'),
        a('find stranded'),
        a('count going', 'pay'),
      ],
      ...[end(a, 'r1', 1), a('find stranded'), a('count going', 'pay'), b(begin), b('release', 'pay'), a('release', 'pay'), b(commit)],
      ...[a('release', 'pay'), a('count going', 'pay'), fetch, a('cancel', 'r3', '{}'), a('find cancelled', ['r2', 'r3'])],
    ],
  },
  {
    title: 'limits: what is held by somebody is not held back, and what comes later has a time',
    steps: [
      ...[start('r1'), start('r2'), b(begin), b('lock status', 'r1'), a('hold back', ['r1', 'r2'], [0, 0]), b(commit)],
      ...[start('r3'), a('postpone', ['r1', 'r3', 'no'], [0, 3, 0], LATER), a('read run', 'r1'), a('count going', 'pay')],
    ],
  },
  {
    title: 'limits: an end tells whether somebody may wait for it',
    steps: [
      ...[start('r1'), start('r2'), start('r3', null, 'mail'), fetch, claim(a, ['r1', 'r2', 'r3']), a('hold back', ['r2'], [0])],
      ...[end(a, 'r1', 1), end(a, 'r3', 1), a('announce', 'w1', 'host', 1, ['mail'], ['mail']), start('r4', null, 'mail'), fetch],
      ...[claim(a, ['r4']), park(a, 'r4', 1), a('leave', 'w1')],
    ],
  },
  {
    title: 'workers: announced, and gone',
    steps: [
      ...[
        a('announce', 'w1', 'host', 1, ['pay'], []),
        a('announce', 'w1', 'host', 1, ['pay', 'mail'], ['pay']),
        a('leave', 'w1'),
        a('leave', 'w1'),
      ],
    ],
  },
  {
    title: 'a worker gives back what it has, and no more',
    steps: [
      ...[
        start('r1'),
        start('r2'),
        fetch,
        claim(a, ['r1']),
        a('give back', ['r1', 'r2'], 'worker 2'),
        a('give back', ['r1', 'r2', 'no'], 'worker 1'),
      ],
      ...[write(a, 'r1', 1), write(a, 'r1', 2), a('take plan', 'r1', 1, '["new"]'), a('take plan', 'r1', 2, '["new"]')],
      ...[a('note progress', 'r1', 1, 3), a('note progress', 'r1', 2, 3), a('read run', 'r1')],
    ],
  },
  {
    title: 'a run is put back, now and later, by who has it',
    steps: [
      ...[
        start('r1'),
        fetch,
        claim(a, ['r1']),
        a('put back', 'r1', 0, null, []),
        a('put back', 'r1', 1, 60, []),
        a('put back', 'r1', 1, null, []),
      ],
      ...[a('read run', 'r1'), fetch, a('take up again', 'r1', 0), a('take up again', 'r1', 1), fetch, a('read run', 'r1')],
    ],
  },
  {
    title: 'requests: assigned while they are open',
    steps: [
      ...[...ASKING, a('assign', 'q1', 'ada', 'print'), a('read open', 'q1'), decide(a, 'q1', 'r1'), a('assign', 'q1', 'bea', 'print')],
      ...[a('read request', 'q1'), a('read request', 'no'), a('read open', 'no')],
    ],
  },
  {
    title: 'a request that is written again does not cover its decision',
    steps: [...ASKING, decide(a, 'q1', 'r1'), ask(a, 'q1', 'r1'), a('read entries', 'r1')],
  },
  {
    title: 'artifacts',
    steps: [
      ...[start('r1'), a('insert artifact', 'r1', 'x', 'text'), a('insert artifact', 'r1', 'x', 'other')],
      ...[a('read artifacts', 'r1', ['x', 'no']), a('insert artifact', 'r1', 'y', '\0')],
    ],
  },
  {
    title: 'compensation is tried again',
    steps: [
      ...[start('r1'), fetch, claim(a, ['r1'])],
      a(
        'write entry',
        'r1',
        1,
        'a_b:saga',
        null,
        'decision',
        null,
        null,
        null,
        null,
        '{"undoing":{"state":"compensation_failed"}}',
        1,
        2,
        1_000_000,
      ),
      ...[a('read decisions', 'r1'), end(a, 'r1', 1, { status: 'failed', why: '{}' }), a(begin), a('lock status', 'r1')],
      ...[a('ask retry', 'r1', 'a_b:saga.retry#1', null, '{}'), a('try compensation again', 'r1'), a(commit)],
      ...[a('ask retry', 'r1', 'a_b:saga.retry#1', null, '{}'), a('read run', 'r1'), a('read decisions', 'r1'), fetch],
    ],
  },
  {
    title: 'what nobody would take up is found',
    steps: [
      ...[start('r1'), a('list holders'), fetch, claim(a, ['r1']), a('list holders')],
      ...[end(a, 'r1', 1, { status: 'blocked', why: '{"code":"unknown_tool"}' }), a('list holders')],
      ...[a('find forgotten', ['unknown_tool']), c('announce', 'w1', 'host', 1, ['pay'], []), a('find forgotten', ['other'])],
      ...[a('find forgotten', ['unknown_tool']), c('announce', 'worker 1', 'host', 1, ['pay'], []), c('leave', 'w1')],
      a('find forgotten', ['unknown_tool']),
    ],
  },
]
