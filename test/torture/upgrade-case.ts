/** The version that is there first, and the one that takes its place. */
export type Version = 'old' | 'new'

/** A step of a version: its label, and the effect that it has whatever it is called; none where a run may wait. */
export interface UpgradeStep {
  readonly label: string
  readonly effect?: string
  /** The version asks by this label whether it takes the new way: then it does the step only there, or only on the old way. */
  readonly patch?: string
  readonly way?: Version
}

const COMPOSITIONS = ['compound', 'pipe', 'saga'] as const
export type Composition = (typeof COMPOSITIONS)[number]

/** One tool in two versions. */
export interface UpgradeCase {
  readonly name: string
  readonly composition: Composition
  readonly steps: Readonly<Record<Version, readonly UpgradeStep[]>>
}

const OLD = 'wait_0 book wait_1 pay wait_2 mail'

/** What the new version makes of the old one; `label:effect` where they differ. */
const CHANGES: Readonly<Record<string, string>> = {
  renamed: 'wait_0 book wait_1 pay_out:pay wait_2 mail',
  inserted: 'wait_0 book wait_1 audit pay wait_2 mail',
  removed: 'wait_0 wait_1 pay wait_2 mail',
  reordered: 'wait_0 pay wait_1 book wait_2 mail',
  renamed_later: 'wait_0 book wait_1 pay wait_2 send:mail',
  added_after: 'wait_0 book wait_1 pay wait_2 mail thank',
}

/** The same for a compound that keeps the old way for runs that are past the change; `old|new`. */
const PATCHES: Readonly<Record<string, string>> = {
  renamed_with_patch: 'wait_0 book wait_1 pay|pay_out:pay wait_2 mail',
  inserted_with_patch: 'wait_0 book wait_1 |audit pay wait_2 mail',
  removed_with_patch: 'wait_0 book| wait_1 pay wait_2 mail',
}

/** Every way to compose, with every change. */
export const UPGRADE_CASES: readonly UpgradeCase[] = COMPOSITIONS.flatMap((composition) =>
  Object.entries(composition === 'compound' ? { ...CHANGES, ...PATCHES } : CHANGES).map(([change, words]) => ({
    name: `${composition}_${change}`,
    composition,
    steps: { old: stepsOf(OLD), new: stepsOf(words) },
  })),
)

function stepsOf(words: string): readonly UpgradeStep[] {
  return words.split(' ').flatMap((word) => {
    const [before, after] = word.split('|')
    if (after === undefined) return stepOf(word)
    const patch = `no_${before}_but_${after.replace(':', '_')}`
    return [
      ...stepOf(before ?? '').map((step) => ({ ...step, patch, way: 'old' as const })),
      ...stepOf(after).map((step) => ({ ...step, patch, way: 'new' as const })),
    ]
  })
}

function stepOf(word: string): readonly UpgradeStep[] {
  const [label = '', effect = label] = word.split(':')
  return label === '' ? [] : [label.startsWith('wait') ? { label } : { label, effect }]
}

/** The effects of a version, in order; where it has two ways, those of the new one. */
export function effectsOf(steps: readonly UpgradeStep[]): readonly string[] {
  return steps.flatMap(({ effect, way }) => (way === 'old' ? [] : (effect ?? [])))
}

/** The labels of steps that take effect and that are not the same for both versions. A run that has begun none of them can go on under either. */
export function changedLabels({ steps }: UpgradeCase): readonly string[] {
  if (steps.new.some(({ patch }) => patch !== undefined)) return []
  const before = steps.old.findIndex(({ label }, index) => steps.new[index]?.label !== label)
  const common = before < 0 ? steps.old.length : before
  return [...steps.old.slice(common), ...steps.new.slice(common)].filter(({ effect }) => effect !== undefined).map(({ label }) => label)
}
