import { expect, test } from 'vitest'
import type { EffectRecord } from './effect-order.ts'
import { UPGRADE_CASES, type UpgradeCase } from './upgrade-case.ts'
import { type Refusal, type UpgradedRun, upgradeVerdict } from './upgrade-verdict.ts'

const ID = 'run-7'

function caseOf(name: string): UpgradeCase {
  const upgrade = UPGRADE_CASES.find((each) => each.name === name)
  if (upgrade === undefined) throw new Error(`There is no case '${name}'.`)
  return upgrade
}

function did(effects: string): readonly EffectRecord[] {
  return effects.split(' ').map((effect, index) => {
    return { run: 'r', kind: 'do', path: effect, effect, leaf: effect, key: String(index), isKeyed: true, times: 1 }
  })
}

function refusal(more: Partial<Refusal>): Refusal {
  const message = `The run '${ID}' did 'pay', which is no more. Let it end under the version that began it.`
  return { code: 'plan_changed', message, recorded: ['book', 'pay'], couldGoOn: false, ...more }
}

function found(name: string, run: Partial<UpgradedRun>): readonly string[] {
  const verdict = upgradeVerdict({ id: ID, upgrade: caseOf(name), status: 'completed', records: did('book pay mail'), ...run })
  return Object.entries(verdict).flatMap(([kind, problems]) => (problems.length > 0 ? [kind] : []))
}

test.each<[string, string, Partial<UpgradedRun>, readonly string[]]>([
  ['all of the old version', 'compound_renamed', { says: 'book pay mail' }, []],
  ['all of the new version', 'pipe_inserted', { records: did('book audit pay mail') }, []],
  ['the same effect under another label', 'compound_renamed', { records: did('book pay pay mail') }, ['twice']],
  ['a new effect too late', 'saga_inserted', { records: did('book pay audit mail') }, ['lost']],
  ['more than it says', 'compound_removed', { says: 'pay mail' }, ['lost']],
  ['what it says, in another order', 'compound_reordered', { says: 'pay book mail' }, []],
  ['nothing more, and has not ended', 'pipe_renamed', { status: 'waiting', records: did('book') }, ['lost']],
])('a run that did %s', (_title, name, run, expected) => {
  expect(found(name, run)).toEqual(expected)
})

test.each<[string, Partial<Refusal>, readonly string[]]>([
  ['that names run, step and cure', {}, []],
  ['while another worker could go on', { couldGoOn: true }, ['refusedWrongly']],
  ['before the change', { recorded: ['book', 'wait_1'] }, ['refusedWrongly']],
  ['for another reason', { code: 'run_keeps_dying' }, ['refusedWrongly']],
  ['without the run', { message: "It did 'pay'. Let it end under the version that began it." }, ['refusedWrongly']],
  ['without the step', { message: `The run '${ID}' must end under the version that began it.` }, ['refusedWrongly']],
  ['without a cure', { message: `The run '${ID}' did 'pay', which is no more.` }, ['refusedWrongly']],
])('a refusal %s', (_title, more, expected) => {
  expect(found('compound_renamed', { refusal: refusal(more) })).toEqual(expected)
})

test('a version with a patch is never refused', () => {
  expect(found('compound_renamed_with_patch', { refusal: refusal({}) })).toEqual(['refusedWrongly'])
})
