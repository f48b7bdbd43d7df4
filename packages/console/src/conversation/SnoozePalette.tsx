import type { Conversation } from "@leadloom/client"
import { useState } from "react"
import { useNow } from "../component/Now.ts"
import { laterTimes } from "../design/LaterTimes.ts"
import { weekdayTime } from "../design/Time.ts"
import { type Choice, Palette } from "../dialog/Palette.tsx"
import { noticeUndo } from "../component/Notices.tsx"
import { useChange } from "../inbox/Change.ts"
import { conversationText } from "../text/Conversation.ts"
import { undoSeconds, wayBack } from "./WayBack.ts"

type ReadTime = (typed: string, now: Date) => string | null

interface SnoozePaletteProps {
  readonly row: Conversation
  readonly onClose: () => void
}

/** Snoozes the conversation until a usual time, or until a typed one, for example `next Tuesday 3pm`. */
export const SnoozePalette = ({ onClose, row }: SnoozePaletteProps) => {
  const change = useChange(row.contact_id)
  const [typed, setTyped] = useState("")
  // The reader of times is large, so it is loaded with the first letter.
  const [readTime, setReadTime] = useState<ReadTime | null>(null)
  const type = (next: string): void => {
    setTyped(next)
    void import("../composer/TypedTime.ts").then(({ readTypedTime }) => setReadTime(() => readTypedTime))
  }
  const now = useNow()
  const snooze = (until: Date) => (): void => {
    change({ snooze_until: until.toISOString() })
    const undo = (): void => change(wayBack(row))
    noticeUndo(conversationText.snooze.done(weekdayTime(until.toISOString())), undoSeconds, undo)
  }
  const usual = laterTimes(new Date(now)).map(({ label, until }): Choice => ({
    label,
    hint: weekdayTime(until.toISOString()),
    pick: snooze(until)
  }))
  const named = readTime?.(typed, new Date(now)) ?? null
  const until = named === null ? null : new Date(named)
  const stated: ReadonlyArray<Choice> =
    until === null || until.getTime() <= now
      ? []
      : [{ label: weekdayTime(until.toISOString()), isFound: true, pick: snooze(until) }]
  return (
    <Palette
      title={conversationText.snooze.title}
      hint={conversationText.snooze.hint}
      choices={[...usual, ...stated]}
      onQuery={type}
      onClose={onClose}
    />
  )
}
