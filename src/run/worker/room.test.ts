import { describe, expect, test } from 'vitest'
import { latch } from '../../../test/fixtures/run/latch.ts'
import { fakeClock } from '../../testing/fake-clock.ts'
import type { RunsContext } from '../runs-context.ts'
import type { FetchedJob, NewRun, Started, TakenRun } from '../store/run-queue.ts'
import { Room } from './room.ts'

const NEW: NewRun = {
  ...{ id: 'r1', key: null, tool: 'pay', version: '1.0.0', plan: '[]', input: '"x"', inputHash: 'hash', options: '{}' },
  ...{ timeLeftMs: null, startAt: null },
}
const JOB: FetchedJob = { id: 'j1', run: 'r1', tool: 'pay', ticket: 0, attempt: 0 }
const TAKEN = { run: { id: 'r1', epoch: 1 }, job: JOB } as TakenRun

interface Wishes {
  readonly concurrency?: number
  readonly fetched?: readonly FetchedJob[]
  readonly limits?: Readonly<Record<string, { readonly concurrency: number }>>
  readonly started?: (worker: string | undefined) => Promise<Started>
}

/** A room over a queue that holds what is given. */
function roomWith({ concurrency = 2, fetched = [], limits = {}, started }: Wishes = {}) {
  const active = new Set<string>()
  const unclaimed = new Set<string>()
  const starts: (string | undefined)[] = []
  let frees = 0
  const queue = { answer: async (): Promise<readonly FetchedJob[]> => fetched }
  const store = {
    clock: fakeClock(),
    fetch: () => queue.answer(),
    start: async (_run: NewRun, worker?: string): Promise<Started> => {
      starts.push(worker)
      return (await started?.(worker)) ?? { outcome: 'started', ...(worker === undefined ? {} : { taken: TAKEN }) }
    },
  }
  const room = new Room({
    ...{ context: { store } as unknown as RunsContext, worker: 'w', concurrency, limits, active, unclaimed },
    onTaken: async ({ run }) => void active.add(run.id),
    onFree: () => void frees++,
  })
  return { room, active, unclaimed, starts, queue, frees: () => frees }
}

describe('a run that is started where a worker is', () => {
  test('is taken up with its start if the queue is empty and there is room', async () => {
    const { room, starts, active } = roomWith()
    await room.fetch(2)
    expect(await room.start(NEW)).toEqual({ outcome: 'started', taken: TAKEN })
    expect(starts).toEqual(['w'])
    expect([...active]).toEqual(['r1'])
    expect(room.free).toBe(1)
  })

  test.each<[why: string, Wishes, (made: ReturnType<typeof roomWith>) => unknown, Partial<NewRun>]>([
    ['nobody has looked at the queue yet', {}, () => {}, {}],
    ['the last look filled the room, so that more may wait', { fetched: [JOB, JOB] }, ({ room }) => room.fetch(2), {}],
    ['a run was queued since the last look', {}, async ({ room }) => (await room.fetch(2), room.onQueued()), {}],
    ['all of the room is taken', {}, async ({ room, active }) => (await room.fetch(2), active.add('a').add('b')), {}],
    [
      'the rest of the room is for jobs that were fetched',
      {},
      async ({ room, active, unclaimed }) => {
        await room.fetch(2)
        active.add('a')
        unclaimed.add('b')
      },
      {},
    ],
    ['it starts later', {}, ({ room }) => room.fetch(2), { startAt: new Date(1) }],
    ['its tool has a limit', { limits: { pay: { concurrency: 5 } } }, ({ room }) => room.fetch(2), {}],
    ['the worker ends', {}, async ({ room }) => (await room.fetch(2), room.close()), {}],
  ])('is queued if %s', async (_why, wishes, prepare, run) => {
    const made = roomWith(wishes)
    await prepare(made)
    expect(await made.room.start({ ...NEW, ...run })).toEqual({ outcome: 'started' })
    expect(made.starts).toEqual([undefined])
  })

  test('is queued if it was told of while the queue was looked at', async () => {
    const { room, starts, queue } = roomWith()
    queue.answer = async () => {
      room.onQueued()
      return []
    }
    await room.fetch(2)
    await room.start(NEW)
    expect(starts).toEqual([undefined])
  })

  test('does not take the room that is being fetched for, nor that of another that is being started', async () => {
    const answered = latch()
    const { room, starts, queue } = roomWith({
      started: async (worker) =>
        worker === undefined ? { outcome: 'started' } : (await answered.wait(), { outcome: 'started', taken: TAKEN }),
    })
    await room.fetch(2)
    const looked = latch()
    queue.answer = async () => (await looked.wait(), [])
    const fetching = room.fetch(1)
    const first = room.start(NEW)
    await room.start(NEW)
    expect(starts).toEqual(['w', undefined])
    expect(room.isEmpty).toBe(false)
    looked.open()
    answered.open()
    await Promise.all([fetching, first])
  })

  test.each<[string, () => Promise<Started>]>([
    ['the key is taken', async () => ({ outcome: 'taken', by: undefined })],
    ['the database does not answer', () => Promise.reject(new Error('away'))],
  ])('leaves the room free if %s', async (_why, started) => {
    const { room, frees } = roomWith({ started })
    await room.fetch(2)
    await room.start(NEW).catch(() => {})
    expect(room.free).toBe(2)
    expect(room.isEmpty).toBe(true)
    expect(frees()).toBe(1)
  })
})
