/// <reference types="vite/client" />

/** The address of the programs of docs/decode: see vite.config.ts. */
declare const DECODERS: string;
