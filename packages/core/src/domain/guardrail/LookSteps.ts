/** Anything that Unicode has to be asked about. */
const beyondAscii = /[\u0080-\uffff]/u

/**
 * Steps that looking through a text costs that is read as `plainText` reads it. Looking at ASCII takes a quarter of the time;
 * some characters become eighteen when they are normalised.
 */
export const lookSteps = (text: string, perCharacter: number): number =>
  beyondAscii.test(text)
    ? perCharacter * Math.max(text.length, text.normalize("NFKC").length)
    : (perCharacter * text.length) >>> 2
