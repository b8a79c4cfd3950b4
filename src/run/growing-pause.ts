/** Pauses that grow, for trying again while a database is away. */
export function growingPause(firstMs = 50, longestMs = 2000): () => Promise<void> {
  let next = firstMs
  return () => {
    const ms = next
    next = Math.min(longestMs, ms * 2)
    return new Promise((resolve) => setTimeout(resolve, ms))
  }
}
