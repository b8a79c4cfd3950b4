import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { gate } from '../../src/combinators/gate/gate.ts'
import type { OpenedRuns } from '../../src/run/open-runs.ts'
import { jsonSchema } from '../../src/tool/contract.ts'
import { tool } from '../../src/tool/tool.ts'
import { durableRuns, openRequest, untilStatus } from '../fixtures/run/durable-runs.ts'
import { KEYS, noTerminal, runOnTerminal, type TerminalRun } from './on-terminal.ts'
import { folderWith, runCli } from './run-cli.ts'

const { down, enter, escape } = KEYS
const database = durableRuns()
const env = { TOOLWRIGHT_HOME: database.home, DATABASE_URL: '' }

const inputSchema = jsonSchema<{ to: string; amount: number }>({
  type: 'object',
  properties: { to: { type: 'string' }, amount: { type: 'number', maximum: 500 } },
  required: ['to', 'amount'],
})

interface Desk {
  readonly runs: OpenedRuns
  /** What was paid. */
  readonly paid: readonly string[]
  /** Starts a run that waits for a person. */
  readonly ask: (to: string) => Promise<{ readonly run: string; readonly request: string }>
}

async function openDesk(): Promise<Desk> {
  const paid: string[] = []
  const pay = gate(
    tool({
      name: 'pay',
      description: 'Pays.',
      effect: 'write',
      idempotent: 'keyed',
      inputSchema,
      execute: ({ to, amount }) => (paid.push(`${to} ${amount}`), `Paid ${to}.`),
    }),
    { why: 'Money leaves the house.' },
  )
  const runs = await database.open([pay])
  const ask = async (to: string): Promise<{ readonly run: string; readonly request: string }> => {
    const { id: run } = await runs.start(pay, { to, amount: 100 })
    const request = await openRequest(runs, run)
    await untilStatus(runs, run, 'waiting')
    return { run, request }
  }
  return { runs, paid, ask }
}

/** An editor that writes these texts, one each time, and keeps what it was given. */
async function editorWriting(
  ...texts: readonly string[]
): Promise<{ readonly editor: string; readonly given: (time: number) => Promise<string> }> {
  const folder = await folderWith({})
  await Promise.all(texts.map((text, index) => writeFile(join(folder, `text-${index}`), text)))
  const editor = join(folder, 'editor')
  await writeFile(
    editor,
    `#!/bin/sh
n=$(ls ${folder} | grep -c given-)
stat -c %a "$1" "$(dirname "$1")" > ${folder}/modes
cp "$1" ${folder}/given-$n
cat ${folder}/text-$n > "$1"
`,
  )
  await chmod(editor, 0o755)
  return { editor, given: (time) => readFile(join(folder, time < 0 ? 'modes' : `given-${time}`), 'utf8') }
}

async function onTerminal(extra: Readonly<Record<string, string>> = {}, flags: readonly string[] = []): Promise<TerminalRun> {
  const cwd = await folderWith({ 'package.json': '{"name":"desk"}' })
  return runOnTerminal(['approvals', ...flags], { cwd, env: { ...env, ...extra } })
}

/** The word that a decision has to be confirmed with. */
async function codeOf(terminal: TerminalRun): Promise<string> {
  await terminal.asked('Another request was closed while you looked at it. Type ')
  return (await terminal.until(' to decide this one')).slice(0, 4)
}

describe.skipIf(noTerminal !== undefined)(`on a terminal${noTerminal === undefined ? '' : ` (skipped: ${noTerminal})`}`, () => {
  test('a person picks a request, reads it, approves it, and rejects the next one with a reason', async () => {
    const { runs, paid, ask } = await openDesk()
    const [ann, bob] = [await ask('ann'), await ask('bob')]
    const terminal = await onTerminal({}, ['--by', 'eve'])
    await terminal.asked('2 requests to decide')
    terminal.type(enter)
    const shown = await terminal.asked('What do you decide?')
    expect(shown).toContain('"to": "ann"')
    expect(shown).toContain('Money leaves the house.')
    terminal.type(down, enter)
    await terminal.until(`Approved ${ann.request.slice(0, 8)} as eve (claimed). The run ${ann.run} continues`)
    await terminal.asked('One request to decide')
    terminal.type(enter)
    expect(await terminal.asked('What do you decide?')).toContain('"to": "bob"')
    terminal.type(down, down, down, enter)
    await terminal.asked('Why?')
    terminal.type('too much', enter)
    await terminal.until(`Rejected ${bob.request.slice(0, 8)} as eve`)
    await terminal.until('Nothing waits for a person.')
    expect(await terminal.ended).toBe(0)
    await untilStatus(runs, ann.run, 'completed')
    await untilStatus(runs, bob.run, 'failed')
    expect(paid).toEqual(['ann 100'])
    expect(await runs.inbox.get(bob.request)).toMatchObject({ decision: { action: 'reject', reason: 'too much', by: 'eve' } })
  })

  test('a text that is pasted where a decision is asked for decides nothing, whatever its letters', async () => {
    const { runs, paid, ask } = await openDesk()
    const { request } = await ask('ann')
    const terminal = await onTerminal()
    await terminal.asked('One request to decide')
    for (const text of ['json', 'jjj', 'Dear Jill', 'approve']) {
      terminal.type(enter)
      await terminal.asked('What do you decide?')
      terminal.type(...text, enter)
      await terminal.asked('One request to decide')
    }
    terminal.type(escape)
    expect(await terminal.ended).toBe(0)
    expect(paid).toEqual([])
    expect(await runs.inbox.get(request)).toMatchObject({ status: 'open' })
  })

  test('Enter alone decides nothing, however often it is pressed, and Escape leaves', async () => {
    const { runs, ask } = await openDesk()
    const { request } = await ask('ann')
    const terminal = await onTerminal()
    await terminal.asked('One request to decide')
    for (let time = 0; time < 3; time++) {
      terminal.type(enter)
      await terminal.asked('What do you decide?')
      terminal.type(enter)
      await terminal.asked('One request to decide')
    }
    terminal.type(escape)
    expect(await terminal.ended).toBe(0)
    expect(await runs.inbox.get(request)).toMatchObject({ status: 'open' })
  })

  test('Ctrl-D leaves and decides nothing: in the list, at a request, in the middle of a reason', async () => {
    const { runs, ask } = await openDesk()
    const { request } = await ask('ann')
    for (const steps of [[], [enter], [enter, `${down}${down}${down}${enter}`]]) {
      const terminal = await onTerminal()
      await terminal.asked('One request to decide')
      for (const [index, keys] of steps.entries()) {
        terminal.type(keys)
        await terminal.asked(index === 0 ? 'What do you decide?' : 'Why?')
      }
      terminal.type(KEYS.endOfInput)
      expect(await terminal.ended).toBe(0)
      expect(terminal.shown()).not.toContain('error:')
    }
    expect(await runs.inbox.get(request)).toMatchObject({ status: 'open' })
  })

  test('an edit that does not fit is opened again with the text kept and the reason above it; the file is private, and goes', async () => {
    const { runs, paid, ask } = await openDesk()
    const { run } = await ask('ann')
    const { editor, given } = await editorWriting(
      '{"to": "ann", "amount": }',
      '{"to": "ann", "amount": 900}',
      '{"to": "ann", "amount": 90}',
    )
    const temporary = join(await folderWith({}), 'tmp')
    await mkdir(temporary)
    const terminal = await onTerminal({ EDITOR: editor, VISUAL: '', TMPDIR: temporary })
    await terminal.asked('One request to decide')
    terminal.type(enter)
    await terminal.asked('What do you decide?')
    terminal.type(down, down, enter)
    for (const problem of ['This is not valid JSON', 'amount']) {
      expect(await terminal.asked('Edit it again?')).toContain(problem)
      terminal.type(down, enter)
    }
    expect(await terminal.asked('Approve with this?')).toContain('"amount": 90')
    terminal.type(down, enter)
    await terminal.until('Approved with another input:')
    expect(await terminal.ended).toBe(0)
    await untilStatus(runs, run, 'completed')
    expect(paid).toEqual(['ann 90'])
    expect(await given(0)).toContain('"amount": 100')
    expect(await given(1)).toMatch(/^\/\/! This is not valid JSON[\s\S]*"amount": \}/)
    expect(await given(2)).toMatch(/^\/\/! .*must be <= 500[\s\S]*"amount": 900/)
    expect(await given(-1)).toBe('600\n700\n')
    expect((await readdir(temporary)).filter((name) => name.startsWith('toolwright-edit'))).toEqual([])
  })

  test.each([
    { about: 'is not set', EDITOR: '', said: 'No editor is set.' },
    { about: 'fails', EDITOR: 'false', said: "The editor 'false' ended with exit code 1, so nothing was changed." },
    { about: 'does not exist', EDITOR: '/nowhere/editor', said: "The editor '/nowhere/editor' ended with exit code 127" },
    { about: 'changes nothing', EDITOR: 'true', said: 'Nothing was changed.' },
  ])('an editor that $about decides nothing', async ({ EDITOR, said }) => {
    const { runs, ask } = await openDesk()
    const { request } = await ask('ann')
    const terminal = await onTerminal({ EDITOR, VISUAL: '' })
    await terminal.asked('One request to decide')
    terminal.type(enter)
    await terminal.asked('What do you decide?')
    terminal.type(down, down, enter)
    await terminal.until(said)
    await terminal.asked('What do you decide?')
    expect(await runs.inbox.get(request)).toMatchObject({ status: 'open' })
  })

  test('a request that is decided by somebody else meanwhile: says so, and keys that were typed for it decide nothing', async () => {
    const { runs, paid, ask } = await openDesk()
    const [ann, bob] = [await ask('ann'), await ask('bob')]
    const terminal = await onTerminal()
    await terminal.asked('2 requests to decide')
    terminal.type(enter)
    await terminal.asked('What do you decide?')
    await runs.inbox.reject(ann.request, 'no', 'zoe')
    await terminal.until('was decided as zoe (claimed) meanwhile. You have decided nothing.')
    // What a hasty person types: open the next one and approve it, twice.
    terminal.type(enter, down, enter, enter, down, enter)
    await terminal.asked('One request to decide')
    terminal.type(enter)
    await terminal.asked('What do you decide?')
    terminal.type(down, enter)
    const code = await codeOf(terminal)
    terminal.type('y', enter)
    await terminal.asked('What do you decide?')
    expect(await runs.inbox.get(bob.request)).toMatchObject({ status: 'open' })
    expect(code).not.toBe('')
    terminal.type(down, enter)
    const next = await codeOf(terminal)
    terminal.type(next, enter)
    await terminal.until(`Approved ${bob.request.slice(0, 8)}`)
    expect(await terminal.ended).toBe(0)
    await untilStatus(runs, bob.run, 'completed')
    expect(paid).toEqual(['bob 100'])
  })

  test('a request whose run is cancelled meanwhile is withdrawn, in the middle of a reason', async () => {
    const { runs, ask } = await openDesk()
    const [ann, bob] = [await ask('ann'), await ask('bob')]
    const terminal = await onTerminal()
    await terminal.asked('2 requests to decide')
    terminal.type(enter)
    await terminal.asked('What do you decide?')
    terminal.type(down, down, down, enter)
    await terminal.asked('Why?')
    terminal.type('too mu')
    await (await runs.get(ann.run)).cancel('no longer wanted')
    await terminal.until('was withdrawn meanwhile. You have decided nothing.')
    terminal.type('ch', enter)
    await terminal.asked('One request to decide')
    terminal.type(escape)
    expect(await terminal.ended).toBe(0)
    expect(await runs.inbox.get(bob.request)).toMatchObject({ status: 'open' })
  })

  test('with --list, and where nothing waits, nothing is asked', async () => {
    const { ask } = await openDesk()
    const empty = await onTerminal()
    expect(await empty.ended).toBe(0)
    expect(empty.shown()).toContain('Nothing waits for a person. Looked at ')
    const { request } = await ask('ann')
    const list = await onTerminal({}, ['--list'])
    expect(await list.ended).toBe(0)
    expect(list.shown()).toMatch(new RegExp(`^${request.slice(0, 8)} +approval +pay `, 'm'))
  })
})

test('not on a terminal, and with --json, the list is printed as before', async () => {
  const { ask } = await openDesk()
  const { request, run } = await ask('ann')
  const cwd = await folderWith({ 'package.json': '{"name":"desk"}' })
  const [plain, json] = await Promise.all([runCli(['approvals'], { cwd, env }), runCli(['approvals', '--json'], { cwd, env })])
  expect(plain).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining(request.slice(0, 8)) as string })
  expect(JSON.parse(json.stdout)).toMatchObject({ approvals: [{ run, status: 'open' }] })
})

test('what a person typed, and secrets of the run in their words, are masked in what a command prints of a decision', async () => {
  const schema = jsonSchema<{ to: string; pin: string }>({
    type: 'object',
    properties: { to: { type: 'string' }, pin: { type: 'string', writeOnly: true } },
    required: ['to', 'pin'],
  })
  const open = gate(tool({ name: 'open', description: 'Opens.', effect: 'write', inputSchema: schema, execute: () => 'open' }))
  const runs = await database.open([open])
  const { id } = await runs.start(open, { to: 'door', pin: 'pin-of-the-run-11' })
  const request = await openRequest(runs, id)
  const patch = JSON.stringify({ pin: 'pin-of-a-person-22' })
  const first = await runCli(['approve', request, '--patch', patch, '--note', 'not pin-of-the-run-11', '--json'], { env })
  const late = await runCli(['reject', request, 'late'], { env })
  const other = await runs.start(open, { to: 'door', pin: 'pin-of-the-run-33' })
  const second = await openRequest(runs, other.id)
  const rejected = await runCli(['reject', second, 'not pin-of-the-run-33', '--json'], { env })
  const told = await runCli(['approve', second], { env })
  expect([first.code, late.code, rejected.code, told.code]).toEqual([0, 1, 0, 1])
  expect(JSON.parse(first.stdout)).toMatchObject({ status: 'decided', decision: { action: 'edit' } })
  expect(told.stderr).toContain('rejected it')
  for (const { stdout, stderr } of [first, late, rejected, told]) expect(`${stdout}${stderr}`).not.toMatch(/pin-of-/)
})
