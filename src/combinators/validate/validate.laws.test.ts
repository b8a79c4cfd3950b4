import fc from 'fast-check'
import { expect, test } from 'vitest'
import { replayFromEveryPrefix } from '../../testing/replay-from-every-prefix.ts'
import type { Effect } from '../../tool/metadata.ts'
import { tool } from '../../tool/tool.ts'
import { fallback } from '../fallback/fallback.ts'
import { rule, type RuleSeverity } from './rule.ts'
import { validate } from './validate.ts'

const faults = fc.array(fc.constantFrom<RuleSeverity | 'none'>('critical', 'warning', 'none'), { minLength: 1, maxLength: 4 })

function rulesOf(found: readonly (RuleSeverity | 'none')[]) {
  return found.map((severity, index) =>
    severity === 'none' ? rule<unknown, unknown>(`r${index}`, () => true) : rule<unknown, unknown>(`r${index}`, () => 'odd', { severity }),
  )
}

test('it fails where a fault is critical, warns where one is a warning, and changes nothing else [V3]', async () => {
  await fc.assert(
    fc.asyncProperty(faults, fc.jsonValue(), fc.constantFrom<Effect>('read', 'write', 'irreversible'), async (found, value, effect) => {
      const gives = tool({ name: 'gives', description: 'd', effect, execute: () => value })
      const result = await validate(gives, { rules: rulesOf(found) }).call('x')
      const isCritical = found.includes('critical')
      expect(result.ok).toBe(!isCritical)
      expect(result.validation?.verdict).toBe(isCritical ? 'failure' : found.includes('warning') ? 'warning' : undefined)
      expect((result.issues ?? []).map(({ severity }) => severity)).toEqual(found.filter((each) => each !== 'none'))
      if (result.ok) expect(result.value).toEqual(value)
      else expect(result.error.outcome).toBe(effect === 'read' ? 'failed' : 'unknown')
    }),
  )
})

test('comes to the same end from every prefix of its record [V1] [V3]', async () => {
  await fc.assert(
    fc.asyncProperty(faults, faults, async (one, other) => {
      const gives = (name: string) => tool({ name, description: 'd', effect: 'read', execute: (input) => `${input}>${name}` })
      const whole = fallback({ name: 'whole', description: 'd' }, [
        validate(gives('a'), { rules: rulesOf(one) }),
        validate(gives('b'), { rules: rulesOf(other) }),
      ])
      expect((await replayFromEveryPrefix(whole, 'x')).diverged).toEqual([])
    }),
    { numRuns: 30 },
  )
})
