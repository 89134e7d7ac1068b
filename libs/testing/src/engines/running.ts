/** A running server. */
export interface RunningServer {
  /** How it is reached: a connection string, or host and port. */
  readonly url: string;
  /** Environment variables that a service needs beside the URL. */
  readonly settings: Readonly<Record<string, string>>;
  /** Ends what was started here; a server that others run is left alone. */
  stop(): Promise<void>;
}
