import { useState } from "react"
import { useNow } from "../component/Now.ts"
import { laterTimes } from "../design/LaterTimes.ts"
import { weekdayTime } from "../design/Time.ts"
import { type Choice, Palette } from "../dialog/Palette.tsx"
import { conversationText } from "../text/Conversation.ts"

type ReadTime = (typed: string, now: Date) => string | null

interface SnoozePaletteProps {
  readonly onSnooze: (until: Date) => void
  readonly onClose: () => void
}

/** Snoozes the conversation until a usual time, or until a typed one, for example `next Tuesday 3pm`. */
export const SnoozePalette = ({ onClose, onSnooze }: SnoozePaletteProps) => {
  const [typed, setTyped] = useState("")
  // The reader of times is large, so it is loaded with the first letter.
  const [readTime, setReadTime] = useState<ReadTime | null>(null)
  const type = (next: string): void => {
    setTyped(next)
    void import("../composer/TypedTime.ts").then(({ readTypedTime }) => setReadTime(() => readTypedTime))
  }
  const now = useNow()
  const usual = laterTimes(new Date(now)).map(({ label, until }): Choice => ({
    label,
    hint: weekdayTime(until.toISOString()),
    pick: () => onSnooze(until)
  }))
  const named = readTime?.(typed, new Date(now)) ?? null
  const until = named === null ? null : new Date(named)
  const stated: ReadonlyArray<Choice> =
    until === null || until.getTime() <= now
      ? []
      : [{ label: weekdayTime(until.toISOString()), isFound: true, pick: () => onSnooze(until) }]
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
