export const formatOf = (_: string): ((value: unknown) => string) | undefined => undefined
