import type { TasksListOptions } from "@leadloom/client"
import { textParameters } from "../design/Address.ts"

/** The periods of due times. */
export type Due = "overdue" | "today" | "week"

/** The filters and the order of the tasks. The address of the page contains them. */
export interface TaskSearch extends Pick<TasksListOptions, "status" | "type" | "priority" | "teamId" | "sort"> {
  /** Everybody without a value, so that tasks without an owner are not overlooked. */
  readonly owner?: "mine" | undefined
  readonly due?: Due | undefined
}

const names = ["status", "type", "priority", "teamId", "sort"] as const

const isDue = (value: unknown): value is Due => value === "overdue" || value === "today" || value === "week"

/** Reads the filters from an address. The server rejects invalid values. */
export const readTaskSearch = (search: Readonly<Record<string, unknown>>): TaskSearch => ({
  ...textParameters(search, names),
  ...(search["owner"] === "mine" ? { owner: "mine" } : {}),
  ...(isDue(search["due"]) ? { due: search["due"] } : {})
})

const days = { overdue: 0, today: 1, week: 7 } as const

/** Returns the time before which tasks of a period are due, in the time zone of the browser. */
export const dueBefore = (due: Due, now: Date): string =>
  due === "overdue"
    ? now.toISOString()
    : new Date(now.getFullYear(), now.getMonth(), now.getDate() + days[due]).toISOString()
