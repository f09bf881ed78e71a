import type { PlantedCorpus, PlantedTruth } from "./year.d.mts";

export const notebookToday: string;
export function writeNotebook(dir: string, options: { readonly seed: number }): PlantedTruth;
export function composeNotebook(options: { readonly seed: number }): PlantedCorpus;
