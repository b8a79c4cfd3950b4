import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { folderWith, runCli } from './run-cli.ts'

const REFUND = ['call', 'refund_latest_order', 'email=ada@example.com']

describe('the input of a call', () => {
  test.each([
    ['pairs, typed by the schema', ['count=3', 'flag=true', 'list=1', 'list=2', 'text=5', 'any={"a":[1]}'], ''],
    ['JSON', ['--input', '{"count":3,"flag":true,"list":[1,2],"text":"5","any":{"a":[1]}}'], ''],
    ['standard input', ['--input', '-'], '{"count":3,"flag":true,"list":[1,2],"text":"5","any":{"a":[1]}}'],
  ])('is taken as %s [T3]', async (_how, words, stdin) => {
    const { code, stdout, stderr } = await runCli(['call', 'anything', ...words], { stdin })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(JSON.parse(stdout)).toEqual({ count: 3, flag: true, list: [1, 2], text: '5', any: { a: [1] } })
  })

  test('is taken from a file, as a text, and as nothing [T2]', async () => {
    const folder = await folderWith({ 'input.json': '{"text":"from a file"}' })
    const [file, missing, text, nothing] = await Promise.all([
      runCli(['call', 'anything', '--input', `@${join(folder, 'input.json')}`]),
      runCli(['call', 'anything', '--input', '@nowhere.json']),
      runCli(['call', 'echo', 'two words', '=', '1']),
      runCli(['call', 'anything']),
    ])
    expect(file.stdout).toBe('{"text":"from a file"}\n')
    expect(missing).toMatchObject({ code: 2, stderr: expect.stringMatching(/^error: The input could not be read from nowhere\.json/) })
    expect(text.stdout).toBe('two words = 1\n')
    expect(nothing.stdout).toBe('{}\n')
  })

  test('that is wrong is told before anything runs, or by the tool itself [T4]', async () => {
    const [field, twice, both, invalid, broken] = await Promise.all([
      runCli(['call', 'anything', 'cuont=1']),
      runCli(['call', 'anything', 'count=1', 'count=2']),
      runCli(['call', 'anything', 'count=1', '--input', '{}']),
      runCli(['call', 'find_order', 'most=many']),
      runCli(['call', 'find_order', '--input', '{"email"']),
    ])
    expect(field).toMatchObject({ code: 2, stderr: "error: 'anything' has no field 'cuont'.\nDid you mean 'count'?\n" })
    expect(twice).toMatchObject({ code: 2, stderr: "error: 'count' is given twice.\n" })
    expect(both).toMatchObject({ code: 2, stderr: expect.stringContaining('given twice: with --input and') })
    expect(invalid).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(/'email'.*'most'|'most'.*'email'/) })
    expect(broken).toMatchObject({ code: 1, stderr: expect.stringContaining('not valid JSON') })
  })
})

test('a tool that takes a text is not called without one, and the empty text is written out [T2]', async () => {
  const [none, asData, empty, typed] = await Promise.all([
    runCli(['call', 'echo']),
    runCli(['call', 'echo', '--json']),
    runCli(['call', 'echo', '']),
    runCli(['call', 'echo', '--input', '-'], { stdin: '{"input":"typed"}' }),
  ])
  expect(none).toMatchObject({ code: 2, stdout: '' })
  expect(none.stderr).toBe(
    "error: 'echo' takes a text, and none is given.\nWrite it after the name: toolwright call echo 'some text'. '' is the empty text, and --input - takes it from standard input.\n",
  )
  expect(JSON.parse(asData.stdout)).toMatchObject({ ok: false, error: { code: 'usage' } })
  expect(empty).toMatchObject({ code: 0, stdout: '' })
  expect(typed).toMatchObject({ code: 0, stdout: 'typed\n' })
})

test('a misspelled field inside is told before anything runs [T4]', async () => {
  const { code, stdout, stderr } = await runCli(['call', 'find_order', 'email=a', 'filter.opn=true'])
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toBe("error: 'find_order' has no field 'filter.opn'.\nDid you mean 'filter.open'?\n")
})

describe('a call', () => {
  test('prints the text, or all of the result as data; what the tool prints itself goes elsewhere [T6]', async () => {
    const [text, asData] = await Promise.all([runCli(['call', 'echo', 'hello']), runCli(['call', 'echo', 'hello', '--json', '--trace'])])
    expect(text).toEqual({ code: 0, stdout: 'hello\n', stderr: 'a stray line\nanother stray line\n' })
    expect(JSON.parse(asData.stdout)).toMatchObject({
      ok: true,
      tool: 'echo',
      text: 'hello',
      value: 'hello',
      provenance: { tool: 'echo@0.0.0' },
      trace: { spans: [{ tool: 'echo', outcome: 'success' }] },
    })
    expect(asData.stderr).toMatch(/echo +█+/)
  })

  test('that fails ends with 1, and says what to do [T6]', async () => {
    const [text, asData] = await Promise.all([runCli(['call', 'fails', '']), runCli(['call', 'fails', '', '--json'])])
    expect(text).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^error: It does not work\. \(tool_failed\)\n  \| Read the message/),
    })
    expect(asData.code).toBe(1)
    expect(JSON.parse(asData.stdout)).toMatchObject({ ok: false, error: { code: 'tool_failed', outcome: 'failed' } })
  })

  test('of a pipeline that fails says which step failed', async () => {
    const flags = ['refund_latest_order', 'ada@example.com', '--permission', 'orders:read', '--no-input']
    const { code, stderr } = await runCli(['call', ...flags])
    expect(code).toBe(1)
    expect(stderr).toMatch(/^error: Step 'issue_refund' failed: /)
  })

  test('has the deadline and the principal that it is given [T14]', async () => {
    const [late, nonsense, guest, clerk] = await Promise.all([
      runCli(['call', 'wait_forever', '', '--deadline', '50ms', '--progress']),
      runCli(['call', 'wait_forever', '', '--deadline', 'soon']),
      runCli(['call', 'find_order', 'email=a', '--principal', 'guest']),
      runCli(['call', 'find_order', 'email=a', '--permission', 'orders:*']),
    ])
    expect(late).toMatchObject({ code: 1, stderr: expect.stringMatching(/^wait_forever: 1 of 2: waiting\n[^]*\(deadline_exceeded\)/) })
    expect(nonsense).toMatchObject({ code: 2, stderr: expect.stringContaining('--deadline must be') })
    expect(guest).toMatchObject({ code: 1, stderr: expect.stringContaining('(permission_denied)') })
    expect(clerk.code).toBe(0)
  })
})

/** A tool whose sources disagree, and one whose only level is a person. */
const ASKING = `
import { byPerson, corroborate, defineConfig, fallback, tool } from 'toolwright'
const says = (name, rate) => tool({ name, description: 'd', effect: 'read', execute: () => ({ rate }) })
const confirmed = corroborate({ a: says('a', 1), b: says('b', 2) }, { name: 'confirmed', description: 'd', fields: { rate: {} }, resolve: byPerson() })
const failing = tool({ name: 'failing', description: 'd', effect: 'read', execute: () => { throw new Error('down') } })
const answerSchema = { type: 'object', properties: { rate: { type: 'number' } } }
const answered = fallback({ name: 'answered', description: 'd' }, [failing, byPerson({ answerSchema })])
export default defineConfig({ tools: [confirmed, answered] })
`

describe('an approval', () => {
  const refundsOf = async (flags: readonly string[], stdin = '') => {
    const file = join(await folderWith({ refunds: '' }), 'refunds')
    const run = await runCli([...REFUND, ...flags], { stdin, env: { REFUNDS: file } })
    return { ...run, refunds: await readFile(file, 'utf8') }
  }

  test('is refused where there is no terminal, and nothing runs [T14]', async () => {
    const { code, stderr, refunds } = await refundsOf([])
    expect({ code, refunds }).toEqual({ code: 1, refunds: '' })
    expect(stderr).toContain('this is no terminal. Run it in one, or approve with --yes')
    // Advice for models.
    expect(stderr).not.toMatch(/Say that a person|another way/)
  })

  test('that is a question cannot be given by a flag, and the reason says where it can be answered [T14]', async () => {
    const folder = await folderWith({ 'toolwright.config.ts': ASKING })
    const [confirmed, answered] = await Promise.all(['confirmed', 'answered'].map((name) => runCli(['call', name, 'x'], { cwd: folder })))
    for (const asked of [confirmed, answered]) {
      expect(asked).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('--yes answers no question. Run it in one, or start it with toolwright run'),
      })
      expect(asked?.stderr).not.toMatch(/approve with --yes|nothing ran/)
    }
  })

  test('is given by --yes, and refused by --no-input, which takes an input nevertheless [T15]', async () => {
    const given = await refundsOf(['--yes'])
    expect(given).toMatchObject({ code: 0, stdout: 'Refunded 120 for order of ada@example.com.\n', refunds: '120\n' })
    const refused = await runCli(['call', 'refund_latest_order', '--no-input', '--input', '{"email":"a"}', '--json'])
    expect(refused.code).toBe(1)
    expect(JSON.parse(refused.stdout)).toMatchObject({
      ok: false,
      error: { code: 'reviewer_unreachable', message: expect.stringContaining('--no-input') },
      steps: [{ tool: 'find_order', ok: true }, { ok: false }],
    })
  })

  test('cannot be given and refused at once [T15]', async () => {
    const { code, stderr, refunds } = await refundsOf(['--yes', '--no-input'])
    expect({ code, refunds }).toEqual({ code: 2, refunds: '' })
    expect(stderr).toMatch(/^error: --yes and --no-input exclude each other\.\n/)
  })

  test('is asked for on standard error, and what is answered counts [T14] [T15]', async () => {
    const approved = await refundsOf(['--ask'], 'y\n')
    expect(approved).toMatchObject({ code: 0, stdout: 'Refunded 120 for order of ada@example.com.\n', refunds: '120\n' })
    expect(approved.stderr).toMatch(/--- Approval wanted ---\ntool +issue_refund@0\.0\.0\n[^]*"amount": 120/)
    const edited = await refundsOf(['--ask'], 'e {"orderId":"A1","amount":5}\n')
    expect(edited).toMatchObject({ code: 0, stdout: 'Refunded 5 for A1.\n', refunds: '5\n' })
    const rejected = await refundsOf(['--ask'], 'n too much\n')
    expect(rejected).toMatchObject({
      code: 1,
      stdout: '',
      refunds: '',
      stderr: expect.stringMatching(/Rejected by reviewer .*, who says "too much"/),
    })
    const stopped = await refundsOf(['--ask', '--json'], 's not today\n')
    expect(stopped).toMatchObject({ code: 1, refunds: '' })
    expect(JSON.parse(stopped.stdout)).toMatchObject({
      ok: false,
      error: { code: 'exit_early', message: expect.stringContaining('not today') },
    })
    const nobody = await refundsOf(['--ask'])
    expect(nobody).toMatchObject({ code: 1, refunds: '' })
  })
})

describe('Ctrl-C', () => {
  test('aborts the call, waits for it to put things in order, says what was done and ends with 130', async () => {
    let sent = false
    const run = await runCli(['call', 'wait_forever', '', '--progress', '--json'], {
      onStderr: (text, child) => {
        if (!sent && text.includes('waiting')) sent = child.kill('SIGINT')
      },
    })
    expect(run.code).toBe(130)
    expect(JSON.parse(run.stdout)).toMatchObject({ ok: false, error: { code: 'cancelled' } })
    expect(run.stderr).toMatch(/Interrupted\.[^]*wait_forever +█+.*cancelled[^]*cleaned up\n$/)
  })

  test('twice ends at once', async () => {
    const folder = await folderWith({
      'stubborn.ts': `import { tool } from 'toolwright'
        export const stubborn = tool({ name: 'stubborn', description: 'd', effect: 'read', execute: () => {
          setInterval(() => {}, 1000)
          process.stderr.write('running\\n')
          return new Promise(() => {})
        } })`,
    })
    let signals = 0
    const run = await runCli(['call', 'stubborn', '', '--tools', './stubborn.ts'], {
      cwd: folder,
      onStderr: (text, child) => {
        if (signals === 0 && text.includes('running')) signals += Number(child.kill('SIGINT'))
        if (signals === 1 && text.includes('(cancelled)')) signals += Number(child.kill('SIGINT'))
      },
    })
    expect({ code: run.code, signals }).toEqual({ code: 130, signals: 2 })
    expect(run.stderr).not.toContain('and is ended')
  })
})
