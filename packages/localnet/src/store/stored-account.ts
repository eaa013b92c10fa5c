/** An account as stored in files. Lamports and rent epoch are decimal text, since they may exceed 2^53. */
export interface StoredAccount {
  key: string;
  lamports: string;
  owner: string;
  executable: boolean;
  rentEpoch: string;
  data: string;
}

/** An account that was closed: its balance is zero. */
export interface ClosedAccount {
  key: string;
}
