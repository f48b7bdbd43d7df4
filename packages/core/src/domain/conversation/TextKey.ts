/** FROZEN. The key under which a text is a copy of one that the provider has brought or taken before. */
export const textKey = (providerMessageId: string): string => `sms:${providerMessageId}`
