import type { BreakerBoard, BreakerListener, BreakerNews } from '../../tool/ports/breaker-board.ts'
import type { BreakerRules, BreakerState, BreakerStore } from '../../tool/ports/breaker-store.ts'
import { byClock } from '../../tool/ports/by-clock.ts'
import type { Clock } from '../../tool/ports/clock.ts'
import { type Leaving, Outage, type Sharing, within } from '../shared-state.ts'
import { type BreakerLink, ProcessBreaker } from './process-breaker.ts'

/** No call waits longer for the answer to whether it may be the trial. */
const TRIAL_MS = 500
/** Failures are told at most so often; those between are told together. */
const TELL_EVERY_MS = 20

/**
 * Breakers that the processes of an app share. Each process counts its calls by itself and tells the others when one has failed, and when the
 * breaker opens or closes: a call that succeeds costs no message. Without an answer of the board each process goes on by itself.
 */
export function sharedBreakers(sharing: Sharing<BreakerBoard>): BreakerStore & Leaving {
  const boards = new SharedBoard(sharing)
  const ofClock = byClock(() => new Map<string, ProcessBreaker>())
  return {
    isShared: true,
    breaker: (key, rules, clock) => {
      const known = ofClock(clock)
      let found = known.get(key)
      if (found === undefined) known.set(key, (found = boards.join({ key, rules, clock })))
      return found
    },
    leave: () => boards.leave(),
  }
}

interface Joining {
  readonly key: string
  readonly rules: BreakerRules
  readonly clock: Clock
}

/** The board, once it is open, and the breakers of this process. */
class SharedBoard {
  readonly #sharing: Sharing<BreakerBoard>
  readonly outage: Outage
  readonly #links = new Map<string, Set<BoardLink>>()
  #opening: Promise<BreakerBoard | undefined> | undefined
  #hasLeft = false

  constructor(sharing: Sharing<BreakerBoard>) {
    this.#sharing = sharing
    this.outage = new Outage(sharing, 'Breakers')
  }

  /** The board; undefined where this process is the only one. Rejects while it cannot be opened. */
  get board(): Promise<BreakerBoard | undefined> {
    if (this.#hasLeft) return Promise.resolve(undefined)
    this.#opening ??= this.#sharing.open().then(
      (board) => {
        board?.on((heard) => this.#hear(heard))
        return board
      },
      (error: unknown) => {
        this.#opening = undefined
        throw error
      },
    )
    return this.#opening
  }

  /** After the changes that are being written: another process must know of a breaker that has just opened. */
  async leave(): Promise<void> {
    const opening = this.#opening
    await Promise.all([...this.#links.values()].flatMap((links) => [...links].map((link) => link.written)))
    this.#hasLeft = true
    await (await opening)?.leave()
  }

  join({ key, rules, clock }: Joining): ProcessBreaker {
    const link = new BoardLink(this, key, clock)
    const breaker = new ProcessBreaker({ rules, clock, link })
    link.breaker = breaker
    const links = this.#links.get(key) ?? new Set()
    this.#links.set(key, links.add(link))
    void this.#read([key])
    return breaker
  }

  #hear(heard: Parameters<BreakerListener>[0]): void {
    if (heard === 'lost') {
      void this.#catchUp()
      return
    }
    for (const link of this.#links.get(heard.key) ?? []) {
      if ('state' in heard) link.hear(heard)
      else link.breaker?.add(heard)
    }
  }

  /** What could not be written during an outage comes first: it is newer than what can be read. */
  async #catchUp(): Promise<void> {
    this.outage.isOver()
    await Promise.all([...this.#links.values()].flatMap((links) => [...links].map((link) => link.writeAgain())))
    await this.#read([...this.#links.keys()])
  }

  async #read(keys: readonly string[]): Promise<void> {
    try {
      const board = await this.board
      for (const news of (await board?.read(keys)) ?? []) this.#hear(news)
    } catch (error) {
      this.outage.began(error)
    }
  }
}

/** What one breaker of this process says to the board, one after the other, and hears from it. */
class BoardLink implements BreakerLink {
  readonly #shared: SharedBoard
  readonly #key: string
  readonly #clock: Clock
  breaker: ProcessBreaker | undefined
  /** The latest change that is known. */
  #no = 0
  #writing: Promise<unknown> = Promise.resolve()
  /** The last change could not be written. */
  #isUnwritten = false
  #tally: { calls: number; failures: number } | undefined

  constructor(shared: SharedBoard, key: string, clock: Clock) {
    this.#shared = shared
    this.#key = key
    this.#clock = clock
  }

  /** Resolves when all changes so far are written, or could not be. */
  get written(): Promise<unknown> {
    return this.#writing
  }

  hear(news: BreakerNews): void {
    if (news.no <= this.#no) return
    this.#no = news.no
    this.breaker?.follow(news)
  }

  changed(state: 'open' | 'closed', ms: number): void {
    void this.#write(state, (board) => {
      if (state === 'closed') return board.close(this.#key)
      return ms === 0 ? board.giveUpTrial(this.#key) : board.open(this.#key, ms)
    })
  }

  async writeAgain(): Promise<void> {
    if (!this.#isUnwritten || this.breaker === undefined) return
    this.#isUnwritten = false
    const [state, ms] = [this.breaker.state(), this.breaker.msLeft()]
    if (state === 'closed') await this.#write(state, (board) => board.close(this.#key))
    // Without time left it needs a trial: the others must know that too.
    else if (state === 'open' || ms === 0) await this.#write('open', (board) => board.open(this.#key, ms))
    else await this.#write(state, (board) => this.#beginUnwritten(board, ms))
  }

  /** A trial of a breaker that the board does not know to be open. */
  async #beginUnwritten(board: BreakerBoard, ms: number): ReturnType<BreakerBoard['beginTrial']> {
    await board.open(this.#key, 0)
    return board.beginTrial(this.#key, ms)
  }

  failed(calls: number): void {
    if (this.#tally !== undefined) {
      this.#tally.calls += calls
      this.#tally.failures++
      return
    }
    this.#tally = { calls: 0, failures: 0 }
    void this.#tell({ calls, failures: 1 }).then(() => this.#clock.timer(TELL_EVERY_MS, () => this.#tellRest()))
  }

  async beginTrial(ms: number): Promise<Pick<BreakerNews, 'state' | 'ms'> | undefined> {
    const { outage } = this.#shared
    if (outage.isNow) return undefined
    const asked = this.#inOrder((board) => (this.#isUnwritten ? this.#beginUnwritten(board, ms) : board.beginTrial(this.#key, ms)))
    try {
      const answer = await within(this.#clock, TRIAL_MS, asked)
      if (answer === undefined) return undefined
      this.#isUnwritten = false
      this.#no = Math.max(this.#no, answer.no)
      return answer.isMine ? undefined : answer
    } catch (error) {
      outage.began(error)
      return undefined
    }
  }

  #tellRest(): void {
    const rest = this.#tally
    this.#tally = undefined
    if (rest === undefined || rest.failures === 0) return
    this.#tally = { calls: 0, failures: 0 }
    void this.#tell(rest).then(() => this.#clock.timer(TELL_EVERY_MS, () => this.#tellRest()))
  }

  async #tell(tally: { readonly calls: number; readonly failures: number }): Promise<void> {
    if (this.#shared.outage.isNow) return
    try {
      await (await this.#shared.board)?.tell({ key: this.#key, ...tally })
    } catch (error) {
      this.#shared.outage.began(error)
    }
  }

  async #write(state: BreakerState, write: (board: BreakerBoard) => Promise<BreakerNews>): Promise<void> {
    let before = this.#no
    try {
      const news = await this.#inOrder((board) => {
        before = this.#no
        return write(board)
      })
      this.#isUnwritten = false
      if (news === undefined) return
      this.#shared.outage.isOver()
      // Refused, or this process has followed an older change meanwhile.
      const isOther = news.no >= this.#no && (news.state !== state || this.#no !== before)
      this.#no = Math.max(this.#no, news.no)
      if (isOther) this.breaker?.follow(news)
    } catch (error) {
      this.#isUnwritten = true
      this.#shared.outage.began(error)
    }
  }

  async #inOrder<T>(write: (board: BreakerBoard) => Promise<T>): Promise<T | undefined> {
    const before = this.#writing
    const done = (async () => {
      await before
      const board = await this.#shared.board
      return board === undefined ? undefined : write(board)
    })()
    this.#writing = done.catch(() => {})
    return done
  }
}
