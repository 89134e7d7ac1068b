import { Module } from '@nestjs/common';
import { CoreModule } from '../core/core.module';
import { AccessModule } from '../access/access.module';
import { MakeOrganization } from './create-organization';
import { EraseOrganization } from './erase-organization';
import { JoinRepositories } from './join-repositories';
import { MoveBlobs } from './move-blobs';
import { RebuildAggregateStates } from './rebuild-states';
import { RemoveUser } from './remove-user';
import { ResealSecrets } from './reseal-secrets';
import { ListStoredBytes } from './stored-bytes';
import { Verify } from './verify';

/** Operations for operators. */
@Module({
  imports: [CoreModule, AccessModule],
  providers: [
    MakeOrganization,
    EraseOrganization,
    RemoveUser,
    RebuildAggregateStates,
    ResealSecrets,
    ListStoredBytes,
    JoinRepositories,
    MoveBlobs,
    Verify,
  ],
})
export class OperationsModule {}
