/** The factors of a score. */
export const factorNames: Readonly<Record<string, string>> = {
  inbound: "The contact wrote to us",
  intent: "Subject of the message",
  buying_words: "Words of a buyer",
  appointment_words: "Asks for an appointment",
  price_question: "Asks for a price",
  urgency: "Urgency",
  sentiment: "Tone",
  question: "Asks a question",
  has_phone: "Number known",
  has_email: "Email address known",
  has_name: "Name known",
  channel: "Channel",
  returning_contact: "Has written before",
  detailed: "Detailed message",
  very_short: "Very short message",
  refusal: "Refuses",
  unsubscribe: "Unsubscribes",
  spam_words: "Words of spam",
  auto_mail: "Automatic mail stays below warm",
  limit: "Limited to 0 to 100 points"
}
