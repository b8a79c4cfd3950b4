/** Where a process runs, as data. Two places are the same where start, name and space are. */
export interface PlacePlan {
  /** Which start of a machine. Copies of a running machine have the same. */
  readonly start: number
  /** The name of the machine. */
  readonly name: number
  /** A space of process numbers on it. */
  readonly space: number
  /** `/proc` shows the numbers of another space, where none of them runs any more. */
  readonly isBlind?: boolean
  /** Nobody asks how processes ended: their numbers stay. */
  readonly keepsEnded?: boolean
  /** A new process gets the number of one that is no more. */
  readonly reusesNumbers?: boolean
}

interface Inhabitant {
  readonly pid: number
  readonly isAlive: boolean
}

const FIRST_NUMBER = 100
/** How far the numbers of the other space are from one's own, where `/proc` shows them. */
const OTHER_NUMBERS = 1000

/** What the system tells the processes that run in one place of each other. Everywhere else the same numbers mean other processes. */
export class Place {
  readonly plan: PlacePlan
  /** By number, the latest. */
  readonly #inhabitants = new Map<number, Inhabitant>()

  constructor(plan: PlacePlan) {
    this.plan = plan
  }

  get hostname(): string {
    return `simulated-${this.plan.name}`
  }

  nextNumber(): number {
    let number = FIRST_NUMBER
    while (this.#isTaken(number)) number++
    return number
  }

  /** Whether it shows its processes who of them is no more. */
  get tellsOfEnds(): boolean {
    return this.plan.isBlind !== true && this.plan.reusesNumbers !== true
  }

  #isTaken(number: number): boolean {
    const found = this.#inhabitants.get(number)
    return found !== undefined && (found.isAlive || this.plan.reusesNumbers !== true)
  }

  enter(inhabitant: Inhabitant): void {
    this.#inhabitants.set(inhabitant.pid, inhabitant)
  }

  /** As `process.kill` with the signal 0. Half of the processes are another user's. */
  probe(asking: Inhabitant, number: number): true {
    if (!this.#isShown(number)) throw systemError('ESRCH')
    if ((number - asking.pid) % 2 !== 0) throw systemError('EPERM')
    return true
  }

  /** A file or link of `/proc`, as a process sees it. */
  read(asking: Inhabitant, path: string): string {
    const { start, space, isBlind } = this.plan
    if (path === '/proc/self') return String(asking.pid + (isBlind === true ? OTHER_NUMBERS : 0))
    if (path === '/proc/self/ns/pid') return `pid:[${space}]`
    if (path === '/proc/sys/kernel/random/boot_id') return `start ${start}\n`
    const number = Number(/^\/proc\/(\d+)\/stat$/.exec(path)?.[1])
    if (!this.#isShown(number)) throw systemError('ENOENT')
    const isRunning = isBlind !== true && this.#inhabitants.get(number)?.isAlive === true
    return `${number} (node (1)) ${isRunning ? 'S' : 'Z'} 1`
  }

  #isShown(number: number): boolean {
    const found = this.#inhabitants.get(number)
    return found !== undefined && (found.isAlive || this.plan.keepsEnded === true)
  }
}

function systemError(code: string): Error {
  return Object.assign(new Error(code), { code })
}
