import { expect, test } from 'vitest'
import { runClientScenario } from '../../../../test/fixtures/mcp/client-scenarios.ts'

test.each([
  ['tools_call', '2025-11-25'],
  ['sep-2322-client-request-state', '2026-07-28'],
] as const)('the scenario %s of revision %s passes [T10]', { timeout: 60_000 }, async (scenario, revision) => {
  expect(await runClientScenario(scenario, revision)).toContain('OVERALL: PASSED')
})
