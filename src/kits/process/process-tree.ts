import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { MARK } from './child-environment.ts'

const IS_WINDOWS = process.platform === 'win32'

/** A process may start another one while the marked ones are ended. */
const MOST_ROUNDS = 20

/**
 * A program that was started, and all that it started itself. Outside Windows it leads a group of its own. On Linux, processes that left the group
 * are found by the mark in their environment, and those without it by their parents, as long as these live.
 */
export class ProcessTree {
  readonly #pid: number
  readonly #mark: string
  #isGroupEnded = false
  /** By number, when it began: the number of a process that has ended is given to others. */
  readonly #descendants = new Map<number, string>()

  constructor(pid: number, mark: string) {
    this.#pid = pid
    this.#mark = mark
  }

  /** Asks the group to end. */
  ask(): void {
    this.#noteDescendants()
    this.#signalGroup('SIGTERM')
  }

  /** Ends the group, and whatever else carries the mark. */
  end(): void {
    this.#noteDescendants()
    this.#signalGroup('SIGKILL')
    this.endMarked()
  }

  /** The leader is gone: the number of its group may be given to others soon, so this is the last signal to it. */
  leaderEnded(): void {
    if (!IS_WINDOWS) this.#signalGroup('SIGKILL')
    this.#isGroupEnded = true
  }

  /** Ends the processes that left the group, and says whether there were any; there are none of which we know outside Linux. */
  endMarked(): boolean {
    if (process.platform !== 'linux') return false
    for (const [pid, began] of this.#descendants) if (statusOf(String(pid))?.began === began) signal(pid, 'SIGKILL')
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const found = marked(`${MARK}=${this.#mark}`)
      if (found.length === 0) return round > 0
      for (const pid of found) signal(pid, 'SIGKILL')
    }
    return true
  }

  /** While a process lives, its children are known to be its own, whatever they have done to their group and their environment. */
  #noteDescendants(): void {
    if (process.platform !== 'linux' || this.#isGroupEnded) return
    const all = processes()
    const children = Map.groupBy(all, ({ parent }) => parent)
    const open = [this.#pid, ...all.filter(({ pid, began }) => this.#descendants.get(pid) === began).map(({ pid }) => pid)]
    for (let pid = open.pop(); pid !== undefined; pid = open.pop()) {
      for (const child of children.get(pid) ?? []) {
        if (this.#descendants.get(child.pid) === child.began) continue
        this.#descendants.set(child.pid, child.began)
        open.push(child.pid)
      }
    }
  }

  #signalGroup(name: 'SIGTERM' | 'SIGKILL'): void {
    if (this.#isGroupEnded) return
    if (IS_WINDOWS) endOnWindows(this.#pid)
    else signal(-this.#pid, name)
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // It has ended already, or it is not ours any more.
  }
}

/** Windows has neither groups nor a way to ask. */
function endOnWindows(pid: number): void {
  const taskkill = join(process.env['SystemRoot'] ?? 'C:\\Windows', 'System32', 'taskkill.exe')
  spawn(taskkill, ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore', windowsHide: true }).on('error', () => {})
}

function numbers(): readonly string[] {
  return readdirSync('/proc').filter((name) => /^[0-9]+$/.test(name))
}

function marked(entry: string): readonly number[] {
  return numbers()
    .filter((name) => environmentOf(name).includes(entry))
    .map(Number)
}

interface ProcessStatus {
  readonly pid: number
  readonly parent: number
  /** In ticks since the start of the system. */
  readonly began: string
}

function processes(): readonly ProcessStatus[] {
  return numbers().flatMap((name) => statusOf(name) ?? [])
}

/** Undefined for a process that has ended. */
function statusOf(pid: string): ProcessStatus | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The name of the program stands in brackets, and may hold anything.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return { pid: Number(pid), parent: Number(fields[1]), began: fields[19] ?? '' }
  } catch {
    return undefined
  }
}

/** Empty for a process that has ended or belongs to somebody else. */
function environmentOf(pid: string): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0')
  } catch {
    return []
  }
}
