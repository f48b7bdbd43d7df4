import { maxOutgoingTextLength } from "@leadloom/core/internal/domain/conversation/OutgoingText"
import { composerText } from "../text/Composer.ts"
import { type DraftContent, invalidAddress, type WritingChannel } from "./DraftContent.ts"

/** Why a draft cannot be sent yet. */
export interface Obstacle {
  readonly message: string
  /** Whether the person has to fill in the subject. Otherwise, the text. */
  readonly isSubject: boolean
}

/** What decides whether a draft can be sent. */
interface Sending {
  readonly channel: WritingChannel
  readonly content: DraftContent
  readonly needsSubject: boolean
  readonly isUploading: boolean
}

/** Returns by how many characters a text exceeds the limit of a message; 0 if it fits. */
export const excessOf = (channel: WritingChannel, { body }: DraftContent): number =>
  channel === "sms" ? Math.max(0, body.length - maxOutgoingTextLength) : 0

/** Returns why a draft cannot be sent yet; null if it can. */
export const obstacleOf = ({ channel, content, isUploading, needsSubject }: Sending): Obstacle | null => {
  const { bcc, body, cc, subject } = content
  const about = (message: string): Obstacle => ({ message, isSubject: false })
  if (channel === "email" && needsSubject && subject.trim() === "")
    return { message: composerText.noSubject, isSubject: true }
  if (body.trim() === "") return about(composerText.noText)
  const excess = excessOf(channel, content)
  if (excess > 0) return about(composerText.tooLong(maxOutgoingTextLength, excess))
  const invalid = invalidAddress(cc) ?? invalidAddress(bcc)
  if (channel === "email" && invalid !== null) return about(composerText.email.invalid(invalid))
  return isUploading ? about(composerText.files.wait) : null
}
