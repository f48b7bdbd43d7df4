import { itemsOf, note, ofLead } from "./MergeItems.ts"
import type { Queries } from "../../sql/Queries.ts"

/** Expressions for the contact's phone number in a text message, and in a call. */
const numberOfText = "CASE t.actor WHEN 'contact' THEN t.from_address ELSE t.to_addresses ->> 0 END"
const numberOfCall = (call: string): string =>
  `CASE ${call}.direction WHEN 'inbound' THEN ${call}.from_number ELSE ${call}.to_number END`

/**
 * Returns a condition: a number stays with the current contact of `t`, because it was not part of the merge. Its
 * parameters are the tenant and the merge.
 */
const stays = (number: string): string =>
  `EXISTS (SELECT 1 FROM identities s WHERE s.tenant_id = t.tenant_id AND s.identity = 'phone:' || ${number}
    AND s.contact_id = t.contact_id AND s.identity NOT IN ${itemsOf("identity")})`

/**
 * Statements that record texts and calls from the time after a merge. A text or call moves with its phone number. It
 * moves with its lead only if its number does not stay with the current contact.
 */
export const sinceOfNumbers = ({ command }: Queries) => {
  const ofContact = "t.tenant_id = ? AND t.contact_id = ?"
  const youngMessages = `t.message_id FROM messages t WHERE ${ofContact} AND t.received_at > ?`
  const youngCalls = `t.call_id FROM calls t WHERE ${ofContact} AND t.started_at > ?`
  const goes = (number: string): string => `('phone:' || ${number}) IN ${itemsOf("identity")}`
  return {
    texts: command(note("message", `${youngMessages} AND t.channel = 'sms' AND ${goes(numberOfText)}`)),
    calls: command(note("call", `${youngCalls} AND ${goes(numberOfCall("t"))}`)),
    callsOfLeads: command(note("call", `${youngCalls} AND ${ofLead} AND NOT ${stays(numberOfCall("t"))}`)),
    messagesOfCalls: command(
      note(
        "message",
        `${youngMessages} AND t.message_id IN (SELECT c.message_id FROM calls c
          WHERE c.tenant_id = t.tenant_id AND c.call_id IN ${itemsOf("call")})`
      )
    ),
    messagesOfLeads: command(
      note(
        "message",
        `${youngMessages} AND ${ofLead} AND NOT (t.channel = 'sms' AND ${stays(numberOfText)})
          AND NOT (t.channel = 'voice' AND EXISTS (SELECT 1 FROM calls c
            WHERE c.tenant_id = t.tenant_id AND c.contact_id = t.contact_id AND c.message_id = t.message_id
              AND ${stays(numberOfCall("c"))}))`
      )
    )
  }
}
