import { describe, expect, test } from 'vitest'
import { ServerScores } from './server-scores.ts'

describe('ServerScores', () => {
  test('a place has the best score of its server, of allowed places alone, and its own without a server', () => {
    const servers = new ServerScores()
    for (const [place, server] of ['shop', 'shop', undefined, 'post', 'shop'].entries()) servers.set(place, server)
    const scores = Float32Array.of(0.5, 0.25, 2, -1, 4)
    expect([...servers.bestOf(scores, Uint8Array.of(1, 1, 1, 1, 1), 5).subarray(0, 5)]).toEqual([4, 4, 2, -1, 4])
    const found = servers.bestOf(scores, Uint8Array.of(1, 1, 1, 1, 0), 5)
    expect([...found.subarray(0, 4)]).toEqual([0.5, 0.5, 2, -1])
  })

  test('follows a place that moves to another server, and takes any number of them', () => {
    const servers = new ServerScores()
    for (let place = 0; place < 300; place++) servers.set(place, `server ${place}`)
    servers.set(299, 'server 7')
    const scores = Float32Array.from({ length: 300 }, (_, place) => place)
    const best = servers.bestOf(scores, new Uint8Array(300).fill(1), 300)
    expect(best[7]).toBe(299)
    expect(best[8]).toBe(8)
  })
})
