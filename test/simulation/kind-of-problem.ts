/** A problem without the names, paths and numbers of its world: two worlds that show the same kind fail in the same way. */
export function kindOfProblem(problem: string): string {
  return problem
    .replace(/\br\d+_[^\s']*/g, 'PATH')
    .replace(/(PATH )+PATH/g, 'PATH')
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'ID')
    .replace(/\d+/g, 'N')
    .split('\n', 1)
    .join('')
    .slice(0, 200)
}
