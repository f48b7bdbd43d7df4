import { makePhoneParser, type PhoneParser } from "./Phone.ts"

/** `parsePhone` with a bounded memory of its answers: the same numbers come again and again. */
export const parsePhoneOnce: PhoneParser = makePhoneParser()
