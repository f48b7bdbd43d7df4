import { maxCountedMessages } from "@leadloom/core/internal/domain/conversation/MessageActivity"
import { maxQueuedRules, maxRules } from "@leadloom/core/internal/domain/rule/Rule"
import { maxHolidays } from "@leadloom/core/internal/domain/time/OfficeTime"

/** The limits of the number, the triggers and the facts of rules. */
export const ruleLimits: ReadonlyArray<readonly [what: string, value: number]> = [
  ["rules of a tenant", maxRules],
  ["rules of a tenant with another trigger than messages", maxQueuedRules],
  ["newest messages of a contact that facts count", maxCountedMessages],
  ["holidays of a tenant", maxHolidays]
]
