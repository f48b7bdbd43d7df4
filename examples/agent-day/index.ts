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
import { workInbox } from "./steps/Inbox.ts"
import { correctThreads } from "./steps/Threads.ts"

try {
  const day = await openDay(process.env)
  for (const step of [workInbox, writeAnswers, correctThreads, sellRoofs]) {
    for (const line of await step(day)) console.log(line)
  }
} catch (error) {
  if (!isLeadloomError(error)) throw error
  console.error(`${error.code}: ${error.message} (${error.requestId ?? "no request id"})`)
  process.exitCode = 1
}
