import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { editText } from './edit-text.ts'

let outside: string
/** Holds temporary files; its name means something to a shell. */
let folder: string

beforeEach(() => {
  outside = mkdtempSync(join(tmpdir(), 'toolwright-test-'))
  folder = join(outside, `a "b' $(touch ${join(outside, 'taken')}); c`)
  mkdirSync(folder, { recursive: true })
  vi.stubEnv('TMPDIR', folder)
  vi.stubEnv('VISUAL', '')
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(outside, { recursive: true, force: true })
})

/** Temporary files that are still there, and what a shell has made of the name of their folder. */
function leftovers(): readonly string[] {
  return [...readdirSync(folder), ...readdirSync(outside).filter((name) => name === 'taken')]
}

/** The editor is a script of the shell: `$1` is the file. */
function edited(script: string, text = 'before') {
  const file = join(outside, 'editor.sh')
  writeFileSync(file, script)
  vi.stubEnv('EDITOR', `sh ${file}`)
  return editText(text)
}

describe.skipIf(process.platform === 'win32')('an editor', () => {
  test('gets a file that only its owner can read, in a folder that only its owner can enter', async () => {
    const seen = join(outside, 'seen')
    expect(await edited(`ls -ld "$(dirname "$1")" "$1" | cut -c1-10 > ${seen}; cat "$1" >> ${seen}; printf after > "$1"`)).toEqual({
      text: 'after',
    })
    expect(readFileSync(seen, 'utf8')).toBe('drwx------\n-rw-------\nbefore')
    expect(leftovers()).toEqual([])
  })

  test.for([
    ['fails', 'exit 3', /ended with exit code 3, so nothing was changed/],
    ['is killed', 'kill -9 $$', /ended with (SIGKILL|exit code 137), so nothing was changed/],
    ['is not there', 'exec /no/such/editor "$1"', /ended with exit code 12[67], so nothing was changed/],
    ['removes the file', 'rm "$1"', /could not be read back, so nothing was changed/],
    ['leaves a folder', 'rm "$1"; mkdir "$1"', /has left no file/],
    ['leaves a pipe', 'rm "$1"; mkfifo "$1"', /has left no file/],
    ['leaves a device without an end', 'ln -sf /dev/zero "$1"', /has left no file/],
    ['leaves too much', 'truncate -s 17000000 "$1"', /17000000 bytes, which is too much/],
    ['leaves another encoding', String.raw`printf '{"name":"Ren\351"}' > "$1"`, /not in UTF-8: set this encoding/],
    ['leaves 16 bits for each character', String.raw`printf '\377\376{\0}\0' > "$1"`, /not in UTF-8/],
  ] as const)('that %s is told of, and changes nothing', async ([, script, problem]) => {
    expect(await edited(script)).toEqual({ problem: expect.stringMatching(problem) as string })
    expect(leftovers()).toEqual([])
  })

  test('may begin the file with the mark of UTF-8, which is no part of the text', async () => {
    expect(await edited(String.raw`printf '\357\273\277{"a":1}' > "$1"`)).toEqual({ text: '{"a":1}' })
    expect(leftovers()).toEqual([])
  })

  test.for(['SIGTERM', 'SIGHUP', 'SIGQUIT'] as const)('%s while it is open leaves no file', async (signal) => {
    const module = pathToFileURL(join(import.meta.dirname, 'edit-text.ts')).href
    const child = spawn(process.execPath, ['--input-type=module', '-e', `(await import('${module}')).editText('private')`], {
      env: { ...process.env, EDITOR: `sh -c 'sleep 20 & echo $! > ${join(outside, 'pid')}; wait' editor` },
      stdio: 'ignore',
    })
    const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
    while (!existsSync(join(outside, 'pid'))) await delay(20)
    expect(readdirSync(folder)).toHaveLength(1)
    child.kill(signal)
    expect(await ended).toBeGreaterThan(128)
    expect(leftovers()).toEqual([])
    process.kill(Number(readFileSync(join(outside, 'pid'), 'utf8')))
  })
})

test('without an editor, the way without one is named', async () => {
  vi.stubEnv('EDITOR', '  ')
  expect(await editText('x')).toEqual({ problem: expect.stringContaining('toolwright approve <request> --patch') as string })
})
