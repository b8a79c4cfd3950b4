import { describe, expect, test } from 'vitest'
import { clientScenarios, runClientScenario } from '../../../../test/fixtures/mcp/client-scenarios.ts'

const BY_PROVIDER = 'an extension: the provider that a program gives as `auth` does it, not the connection'

/** Scenarios that no revision requires, and why they do not apply. */
const NOT_APPLICABLE: Readonly<Record<string, string>> = {
  'auth/client-credentials-jwt': BY_PROVIDER,
  'auth/client-credentials-basic': BY_PROVIDER,
  'auth/enterprise-managed-authorization': BY_PROVIDER,
  'auth/wif-jwt-bearer': BY_PROVIDER,
  'auth/dpop': 'an extension: there is no option for a fetch that signs',
  'auth/dpop-nonce': 'an extension: there is no option for a fetch that signs',
  'json-schema-2020-12-preservation':
    'added after the release: it wants the schema back that the model is shown, and a root with conditions is shown as { input }; the rules are the same',
}

const REVISIONS = [
  { revision: '2025-11-25', ...(await clientScenarios('2025-11-25')) },
  { revision: '2026-07-28', ...(await clientScenarios('2026-07-28')) },
] as const

describe.each(REVISIONS)('the scenarios for clients of revision $revision [T10]', ({ revision, required, others }) => {
  test.each(required)('%s', { timeout: 120_000 }, async (scenario) => {
    expect(await runClientScenario(scenario, revision)).toContain('OVERALL: PASSED')
  })

  test('each one that is not required and does not apply has a reason', () => {
    expect(others.filter((name) => !(name in NOT_APPLICABLE))).toEqual([])
    expect(required.length).toBeGreaterThan(15)
  })
})
