import { maxCountedMessages } from "@leadloom/core/internal/domain/conversation/MessageActivity"
import { maxForwardsPerAddress } from "@leadloom/core/internal/domain/consent/MaySend"
import {
  maxCallResponseBytes,
  maxCallsPerHour,
  maxCallsPerRule,
  maxStoredFields
} from "@leadloom/core/internal/domain/rule/action/CallWebhook"
import { maxForwardRecipients, maxForwardsPerContact } from "@leadloom/core/internal/domain/rule/action/Forward"
import { maxQueuedRules, maxRules } from "@leadloom/core/internal/domain/rule/Rule"
import { maxPieces, maxScheduledContacts } from "@leadloom/core/internal/domain/rule/RuleJob"
import { maxJsonPointerLength } from "@leadloom/core/internal/domain/text/JsonPointer"
import { maxCronLength } from "@leadloom/core/internal/domain/time/CronSchedule"
import { maxHolidays } from "@leadloom/core/internal/domain/time/OfficeTime"

/** The limits of the number, the triggers and the facts of rules. */
export const ruleLimits: ReadonlyArray<readonly [what: string, value: number]> = [
  ["rules of a tenant", maxRules],
  ["rules of a tenant with another trigger than messages", maxQueuedRules],
  ["contacts for which a schedule runs at one firing", maxScheduledContacts],
  ["steps of 100 contacts that one firing examines", maxPieces],
  ["addresses to which an action forwards an email", maxForwardRecipients],
  ["emails of one contact that rules forward in 24 hours", maxForwardsPerContact],
  ["automatic emails to one address in 24 hours, from which on nothing is forwarded to it", maxForwardsPerAddress],
  ["calls of webhooks by one rule", maxCallsPerRule],
  ["requests to webhooks that the rules of a tenant cause in an hour, with retries", maxCallsPerHour],
  ["custom fields that one call of a webhook stores", maxStoredFields],
  ["bytes of a response from which a call stores values", maxCallResponseBytes],
  ["characters of a JSON Pointer", maxJsonPointerLength],
  ["characters of a cron expression", maxCronLength],
  ["newest messages of a contact that facts count", maxCountedMessages],
  ["holidays of a tenant", maxHolidays]
]
