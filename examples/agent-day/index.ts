/**
 * Plays a day of three agents and two teams. Each step checks the responses and fails when one differs.
 *
 *     LEADLOOM_ADMIN_KEY=… node examples/agent-day/index.ts
 *
 * The day happens in a tenant of its own (`LEADLOOM_TENANT`, default: `agent-day`).
 */
import { isLeadloomError } from "@leadloom/client"
import { openDay } from "./Day.ts"
import { writeAnswers } from "./steps/Answers.ts"
import { sellRoofs } from "./steps/Deals.ts"
import { endDay } from "./steps/Evening.ts"
import { workInbox } from "./steps/Inbox.ts"
import { sendLetters } from "./steps/Letters.ts"
import { completeTasks } from "./steps/Tasks.ts"
import { correctThreads } from "./steps/Threads.ts"

try {
  const day = await openDay(process.env)
  for (const step of [workInbox, writeAnswers, sendLetters, correctThreads, completeTasks, sellRoofs, endDay]) {
    for (const line of await step(day)) console.log(line)
  }
} catch (error) {
  if (!isLeadloomError(error)) throw error
  console.error(`${error.code}: ${error.message} (${error.requestId ?? "no request id"})`)
  process.exitCode = 1
}
