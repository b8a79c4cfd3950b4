import { describe, expect, test } from 'vitest'
import { ServerScores } from './server-scores.ts'

/** What each place gets. */
function given(servers: ServerScores, scores: Float32Array, allowed: Uint8Array): number[] {
  const raised = scores.slice()
  servers.raise(raised, allowed, { size: scores.length, share: 1 })
  return Array.from(raised, (score, place) => score - (scores[place] as number))
}

describe('ServerScores', () => {
  test('a place gets the best score of its server, of allowed places alone, and its own without a server', () => {
    const servers = new ServerScores()
    for (const [place, server] of ['shop', 'shop', undefined, 'post', 'shop'].entries()) servers.set(place, server)
    const scores = Float32Array.of(0.5, 0.25, 2, -1, 4)
    expect(given(servers, scores, Uint8Array.of(1, 1, 1, 1, 1))).toEqual([4, 4, 2, -1, 4])
    expect(given(servers, scores, Uint8Array.of(1, 1, 1, 1, 0)).slice(0, 4)).toEqual([0.5, 0.5, 2, -1])
  })

  test('follows a place that moves to another server, and takes any number of them', () => {
    const servers = new ServerScores()
    for (let place = 0; place < 300; place++) servers.set(place, `server ${place}`)
    servers.set(299, 'server 7')
    const best = given(
      servers,
      Float32Array.from({ length: 300 }, (_, place) => place),
      new Uint8Array(300).fill(1),
    )
    expect(best[7]).toBe(299)
    expect(best[8]).toBe(8)
  })
})
