import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runProgram } from '../../../scripts/run-program.ts'

const FIXTURE = new URL('../../../test/fixtures/mcp/conformance-server.ts', import.meta.url).pathname
const REVISIONS = ['2025-11-25', '2026-07-28'] as const

/** The scenarios that apply, by the revisions that have them. */
const BOTH = [
  ...['tools-list', 'tools-call-simple-text', 'tools-call-image', 'tools-call-audio', 'tools-call-embedded-resource'],
  ...['tools-call-mixed-content', 'tools-call-error', 'tools-call-with-progress', 'json-schema-2020-12'],
  ...['server-sse-multiple-streams', 'dns-rebinding-protection'],
]
const APPLICABLE = {
  '2025-11-25': [
    ...BOTH,
    ...['server-initialize', 'server-session-lifecycle', 'ping'],
    ...['tools-call-elicitation', 'elicitation-sep1034-defaults', 'elicitation-sep1330-enums'],
  ],
  '2026-07-28': [
    ...BOTH,
    ...['server-stateless', 'caching', 'http-header-validation'],
    ...['basic-elicitation', 'request-state', 'multi-round', 'missing-input-response', 'result-type'].map(inputRequired),
    ...['unsupported-methods', 'tampered-state', 'validate-input'].map(inputRequired),
  ],
}

function inputRequired(name: string): string {
  return `input-required-result-${name}`
}

/** What does not apply to a server of tools, and why; a whole scenario by its name, one of its checks as `scenario: check`. */
const NOT_APPLICABLE: Readonly<Record<string, string>> = {
  'completion-complete': 'there are no prompts or templates to complete',
  'logging-set-level': 'logs go to the logger of the program; the newer revision has no such method',
  'tools-call-with-logging': 'logs go to the logger of the program; the newer revision has no such method',
  'tools-call-sampling': 'tools ask their own model, not that of the client; the newer revision has no such method',
  'input-required-result-basic-sampling': 'tools ask their own model, not that of the client',
  'input-required-result-basic-list-roots': 'no tool asks for roots',
  'input-required-result-multiple-input-requests': 'wants sampling and roots beside the form; several forms are tested in mcp.test.ts',
  'input-required-result-non-tool-request': 'there are no prompts',
  'input-required-result-capability-check': 'wants sampling; that nobody is asked who cannot be is tested in mcp.test.ts',
  'input-required-result-ignore-extra-params':
    'wants an answer taken before its question was asked; that other keys are ignored is tested in request-state.test.ts',
  'http-custom-header-server-validation': 'no tool takes a header',
  'server-sse-polling': 'how an HTTP stream is taken up again is the affair of whoever serves over HTTP',
  'sep-2164-resource-not-found': 'there are no resources',
  'resources-list': 'there are no resources',
  'resources-read-text': 'there are no resources',
  'resources-read-binary': 'there are no resources',
  'resources-templates-read': 'there are no resources',
  'resources-subscribe': 'there are no resources',
  'resources-unsubscribe': 'there are no resources',
  'prompts-list': 'there are no prompts',
  'prompts-get-simple': 'there are no prompts',
  'prompts-get-with-args': 'there are no prompts',
  'prompts-get-embedded-resource': 'there are no prompts',
  'prompts-get-with-image': 'there are no prompts',
  'server-stateless: sep-2575-server-rejects-undeclared-capability': 'wants sampling',
  'server-stateless: sep-2575-missing-capability-http-400': 'wants sampling',
  'caching: sep-2549-prompts-list-caching-hints': 'there are no prompts',
  'caching: sep-2549-resources-list-caching-hints': 'there are no resources',
  'caching: sep-2549-resources-templates-list-caching-hints': 'there are no resources',
  'json-schema-2020-12: json-schema-2020-12-$schema':
    'all schemas are of the dialect that counts where none is named; naming it stops validators that know only an older one',
  'json-schema-2020-12: sep-2106-composition-keywords-preserved':
    'models refuse a composition at the root: such an input stands under `input`, as tool-description.test.ts has it',
}

/** This scenario wants questions by a key of its own; the server under /named gives them. */
const NAMED = 'input-required-result-basic-elicitation'

interface Check {
  readonly id: string
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO'
  readonly errorMessage?: string
}

const server = spawn(process.execPath, ['--conditions=toolwright-source', FIXTURE], { stdio: ['pipe', 'pipe', 'inherit'] })
let home: string
const found = new Map<string, ReadonlyMap<string, readonly Check[]>>()

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'toolwright-mcp-'))
  const [port] = (await once(createInterface(server.stdout), 'line')) as [string]
  for (const revision of REVISIONS) found.set(revision, await checksOf(port, revision))
}, 60_000)
afterAll(async () => {
  server.stdin.end()
  await once(server, 'exit')
  await rm(home, { recursive: true })
})

/** Runs all scenarios of a revision: what the runner found, by scenario. */
async function checksOf(port: string, revision: string): Promise<ReadonlyMap<string, readonly Check[]>> {
  const run = (path: string, what: readonly string[]) =>
    runProgram('conformance', [
      ...['server', '--url', `http://127.0.0.1:${port}${path}`, '--spec-version', revision],
      ...['-o', join(home, path, revision), ...what],
    ])
  await run('/mcp', ['--suite', 'all'])
  await run('/named', ['--scenario', NAMED])
  return new Map([
    ...(await readChecks(join(home, '/mcp', revision))),
    ...(revision === '2026-07-28' ? await readChecks(join(home, '/named', revision)) : []),
  ])
}

/** A folder for each scenario, named `server-<scenario>-<time>`. */
async function readChecks(folder: string): Promise<ReadonlyMap<string, readonly Check[]>> {
  const entries = (await readdir(folder)).map(async (name) => {
    const scenario = name.replace(/^server-/, '').replace(/-\d{4}-\d\d-\d\dT[\d-]+Z$/, '')
    return [scenario, JSON.parse(await readFile(join(folder, name, 'checks.json'), 'utf8')) as readonly Check[]] as const
  })
  return new Map(await Promise.all(entries))
}

describe.each(REVISIONS)('revision %s', (revision) => {
  test.each(APPLICABLE[revision])('passes %s [T10]', (scenario) => {
    const checks = found.get(revision)?.get(scenario) ?? []
    expect(checks.filter((check) => isFailed(check) && !Object.hasOwn(NOT_APPLICABLE, `${scenario}: ${check.id}`))).toEqual([])
    expect(checks.map(({ status }) => status)).toContain('SUCCESS')
  })

  test('every scenario applies or stands in the table with the reason', () => {
    const named = [...APPLICABLE[revision], ...Object.keys(NOT_APPLICABLE)]
    expect([...(found.get(revision)?.keys() ?? [])].filter((each) => !named.includes(each))).toEqual([])
  })
})

test('nothing stands in the table that passes by now, or that no scenario is about', () => {
  const failing = [...found.values()].flatMap((scenarios) =>
    [...scenarios].flatMap(([scenario, checks]) => checks.filter(isFailed).flatMap(({ id }) => [scenario, `${scenario}: ${id}`])),
  )
  expect(Object.keys(NOT_APPLICABLE).filter((each) => !failing.includes(each))).toEqual([])
})

function isFailed({ status }: Check): boolean {
  return status === 'FAILURE' || status === 'WARNING'
}
