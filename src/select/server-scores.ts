/** A place whose tool comes from no server. */
const ALONE = -1

/** The servers of places: if a tool of a server fits a request, its others are likelier to be needed too. */
export class ServerScores {
  readonly #numbers = new Map<string, number>()
  #servers = new Int32Array(64).fill(ALONE)
  #best = new Float32Array(64)

  set(place: number, server: string | undefined): void {
    if (place >= this.#servers.length) this.#grow(Math.max(place + 1, this.#servers.length * 2))
    this.#servers[place] = server === undefined ? ALONE : this.#numberOf(server)
  }

  /** Adds a share of the best score of the allowed tools of its server to each place; of its own score if it comes from none. */
  raise(scores: Float32Array, allowed: Uint8Array, { size, share }: { readonly size: number; readonly share: number }): void {
    const servers = this.#servers
    const best = this.#best.fill(-Infinity, 0, this.#numbers.size)
    for (let place = 0; place < size; place++) {
      const server = servers[place] as number
      if (server !== ALONE && allowed[place] === 1 && (scores[place] as number) > (best[server] as number))
        best[server] = scores[place] as number
    }
    for (let place = 0; place < size; place++) {
      const server = servers[place] as number
      const own = scores[place] as number
      scores[place] = own + share * (server === ALONE ? own : (best[server] as number))
    }
  }

  /** Numbers are kept: a server that was replaced comes back. */
  #numberOf(server: string): number {
    const known = this.#numbers.get(server)
    if (known !== undefined) return known
    const number = this.#numbers.size
    this.#numbers.set(server, number)
    if (number >= this.#best.length) this.#best = new Float32Array(this.#best.length * 2)
    return number
  }

  #grow(capacity: number): void {
    const servers = new Int32Array(capacity).fill(ALONE)
    servers.set(this.#servers)
    this.#servers = servers
  }
}
