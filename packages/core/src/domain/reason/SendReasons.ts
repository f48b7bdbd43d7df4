import { count, reason, text, textOrNull } from "./ReasonEntry.ts"

const approve = "Approve the draft, or answer yourself."
const connect = "Connect an email account that works."
const other = "Use another address or number of the contact."

/** Reasons why a message must not be sent, or only later. */
export const sendReasons = {
  hipaa: reason(
    {},
    "email is disabled for a HIPAA tenant",
    "Email is not encrypted from end to end.",
    "Use another channel."
  ),
  no_email_account: reason(
    {},
    "no email account is connected to send through",
    "The tenant has no working email account.",
    connect
  ),
  no_recipient: reason(
    {},
    "there is no valid recipient address",
    "The mail contains no address to answer to, or the request no recipient.",
    other
  ),
  unattended_mailbox: reason(
    {},
    "the address is an unattended mailbox",
    "Its name says that nobody reads it, for example `no-reply`.",
    other
  ),
  own_address: reason(
    {},
    "the address is one of the tenant's own addresses",
    "A reply to the tenant itself could cause a mail loop.",
    approve
  ),
  mail_comes_back: reason(
    { address: textOrNull, detail: text },
    ({ address, detail }) => `mail to ${address ?? "the address"} comes back: ${detail}`,
    "An earlier mail to the address was returned.",
    "Correct the address. A permitted person may override the reason `undeliverable`."
  ),
  several_recipients: reason(
    {},
    "a reply would go to several addresses",
    "`Reply-To` has several addresses, and a reply may contain data of the contact.",
    approve
  ),
  foreign_reply_to: reason(
    { email: text },
    ({ email }) => `a reply would go to ${email}, which is not a known address of the sender`,
    "`Reply-To` belongs neither to the sender's organisation nor to the contact.",
    approve
  ),
  replies_in_conversation: reason(
    { max: count, place: text },
    ({ max, place }) => `${max} automatic replies went into this ${place} and no person has written in between`,
    "The limit stops two programs that answer each other.",
    "Approve the draft. A message of a person resets the count."
  ),
  replies_to_correspondent: reason(
    { max: count, whom: text },
    ({ max, whom }) => `${max} automatic replies went to this ${whom} within 24 hours`,
    "The limit stops two programs that answer each other.",
    approve
  ),
  no_number: reason({}, "the contact has no number", "Neither the contact nor the message has a phone number.", other),
  no_own_number: reason(
    {},
    "the tenant has no number to send from",
    "No phone number is assigned to the tenant.",
    "Assign a phone number to the tenant."
  ),
  own_number: reason({}, "the number is the tenant's own", "The tenant would contact itself.", other),
  opted_out: reason(
    {},
    "the contact has opted out",
    "The contact refused texts and calls. The law forbids both.",
    "Wait until the contact opts in again."
  ),
  blocked_number: reason(
    {},
    "the number is on the blocklist",
    "A person of the tenant blocked the number.",
    "Remove the number from the blocklist."
  ),
  number_unreachable: reason(
    { detail: text },
    ({ detail }) => `the number cannot be reached: ${detail}`,
    "The provider reported that the number cannot receive texts.",
    "Correct the number. A permitted person may override the reason `undeliverable`."
  ),
  channel_not_automatic: reason(
    {},
    "only an email or a text can be answered automatically",
    "The message came over another channel, or outside of a mail thread.",
    approve
  ),
  text_too_long: reason(
    { max: count },
    ({ max }) => `it is longer than ${max} characters`,
    "The provider accepts no longer text message.",
    "Shorten the draft, and approve it."
  ),
  answered_message_gone: reason(
    {},
    "the answered message no longer exists",
    "The message was erased before the reply left.",
    "Nothing."
  ),
  party_gone: reason(
    {},
    "the contact or the tenant no longer exists",
    "The contact or the tenant was erased before the text left.",
    "Nothing."
  ),
  hourly_limit: reason(
    {},
    "the hourly send limit is reached",
    "The tenant has used up its sends of the last hour.",
    "Nothing: the message waits."
  ),
  quiet_hours: reason(
    {},
    "quiet hours",
    "It is between 21:00 and 08:00 for the contact.",
    "Nothing: the message waits."
  )
} as const
