import type { Task } from './scheduler.ts'

/** Tasks by their time; of equals, the one that was made first. */
export class TaskHeap {
  readonly #tasks: Task[] = []

  push(task: Task): Task {
    const tasks = this.#tasks
    let place = tasks.length
    tasks.push(task)
    while (place > 0) {
      const above = (place - 1) >> 1
      const parent = tasks[above] as Task
      if (isBefore(parent, task)) break
      tasks[place] = parent
      place = above
    }
    tasks[place] = task
    return task
  }

  pop(): Task | undefined {
    const tasks = this.#tasks
    const top = tasks[0]
    const last = tasks.pop()
    if (top === undefined || last === undefined || tasks.length === 0) return top
    let place = 0
    for (;;) {
      let below = 2 * place + 1
      if (below >= tasks.length) break
      if (below + 1 < tasks.length && isBefore(tasks[below + 1] as Task, tasks[below] as Task)) below++
      const child = tasks[below] as Task
      if (isBefore(last, child)) break
      tasks[place] = child
      place = below
    }
    tasks[place] = last
    return top
  }
}

function isBefore(one: Task, other: Task): boolean {
  return one.at < other.at || (one.at === other.at && one.order < other.order)
}
