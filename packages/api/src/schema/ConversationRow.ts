import { Conversation as Noun } from "@leadloom/core/internal/domain/conversation/Conversation"
import { Schema } from "effect"
import { Channel } from "./Field.ts"
import { wire } from "./Wire.ts"

/** A row of the inbox, which lists and events have. */
export const { schema: Conversation, toJson: conversationToJson } = wire(Noun, "Conversation", {
  description: "The newest state of a contact's conversation over all channels",
  omit: ["lastMessageId", "answeredAt"],
  names: { tier: "score_tier" },
  schemas: { lastChannel: Channel, leadState: Schema.NullOr(Schema.String), tier: Schema.NullOr(Schema.String) }
})
