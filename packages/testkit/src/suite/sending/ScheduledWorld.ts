import type { Composition } from "@leadloom/core/internal/domain/sending/Composition"
import type { StatedTime } from "@leadloom/core/internal/domain/sending/SendTime"
import { scheduleMessage } from "@leadloom/core/internal/workflow/schedule/ScheduleMessage"
import { Clock, Effect } from "effect"
import { acme } from "../Scene.ts"

/** Returns a time in epoch milliseconds. */
export const parseInstant = (text: string): number => Date.parse(text)

/** The options of a scheduled email. */
interface Options {
  /** The time in hours from now on. */
  readonly hours?: number
  readonly time?: StatedTime
  readonly undoSeconds?: number
  readonly cancelOnReply?: boolean
  readonly body?: string
  readonly attachments?: Composition["attachments"]
  readonly key?: string
}

/** A tenant without rules that has received a mail of Jo. Its time zone is UTC. */
export const open = Effect.gen(function* () {
  const tenant = yield* acme.open({ timeZone: "UTC" })
  yield* acme.connectMail()
  const { contactId } = yield* acme.handleMail()
  const schedule = Effect.fnUntraced(function* (options: Options) {
    const {
      attachments = [],
      body = "We come on Monday.",
      cancelOnReply = false,
      hours,
      key,
      undoSeconds = 0
    } = options
    const now = yield* Clock.currentTimeMillis
    const inHours = hours === undefined ? null : { text: new Date(now + hours * 3_600_000).toISOString(), zone: null }
    return yield* scheduleMessage({
      tenant,
      contactId,
      message: { channel: "email", body, replyAll: false, attachments },
      schedule: { time: options.time ?? inHours, undoSeconds, cancelOnReply },
      createdBy: "user:kim",
      idempotencyKey: key ?? null
    })
  })
  const isDay = (at: number): boolean => {
    const hour = new Date(at).getUTCHours()
    return hour >= 8 && hour < 21
  }
  /** The next time at 09:00. */
  const nextMorning = Effect.map(Clock.currentTimeMillis, (now) => {
    const day = new Date(now)
    day.setUTCHours(9, 0, 0, 0)
    return day.getTime() > now ? day.getTime() : day.getTime() + 86_400_000
  })
  return { contactId, isDay, nextMorning, schedule, tenant }
})

/** The steps of a test on scheduled emails. */
export type World = Effect.Success<typeof open>
