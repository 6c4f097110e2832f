/**
 * What the Pulumi CLI is built without: parts that a stack with a local backend and dynamic Node.js resources never
 * uses, and that cost most of the build. `go build -debug-actiongraph=FILE` shows what each package costs.
 *
 * Paths are those of the module `pkg/v3`. A change keeps only the listed Go files of a folder, or replaces a text that
 * occurs exactly once in a file. A command or service that is left out answers with an error that names the official
 * release.
 */

/** The release that the changes fit. For any other one scripts/lib/go-source.mjs has the whole CLI built. */
export const version = "3.259.0";

const official = "install the official release, https://www.pulumi.com/docs/install/";

export const changes = [
  {
    why: "Commands of Pulumi Cloud, of schema documentation and of tracing bring an OpenAPI parser, terminal user interfaces and syntax highlighters for 200 languages.",
    file: "cmd/pulumi/pulumi.go",
    replace: [
      ...[
        `"github.com/pulumi/pulumi/pkg/v3/cmd/pulumi/cloud"`,
        `cmdDo "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi/do"`,
        `cmdEnv "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi/env"`,
        `"github.com/pulumi/pulumi/pkg/v3/cmd/pulumi/insights"`,
        `"github.com/pulumi/pulumi/pkg/v3/cmd/pulumi/neo"`,
        `"github.com/pulumi/pulumi/pkg/v3/cmd/pulumi/org"`,
        `"github.com/pulumi/pulumi/pkg/v3/cmd/pulumi/packagecmd"`,
        `"github.com/pulumi/pulumi/pkg/v3/cmd/pulumi/trace"`,
      ].map((line) => [`\t${line}\n`, ""]),
      ["cmdEnv.NewEnvCmd()", `leftOut("env", "esc")`],
      ["org.NewOrgCmd()", `leftOut("org")`],
      ["cloud.NewAPICmd()", `leftOut("api")`],
      ["insights.NewInsightsCmd()", `leftOut("insights")`],
      [
        "cmdDo.NewDoCmd(cmdBackend.DefaultLoginManager, pkgWorkspace.Instance,\n" +
          "\t\t\t\t\tnil, nil, nil, cmdDo.DefaultRunStatefulUpdate)",
        `leftOut("do")`,
      ],
      ["packagecmd.NewPackageCmd()", `leftOut("package")`],
      ["trace.NewViewTraceCmd()", `leftOut("view-trace")`],
      ["trace.NewConvertTraceCmd()", `leftOut("convert-trace")`],
      ["neo.NewNeoCmd()", `leftOut("neo")`],
      [
        "type commandGroup struct {",
        `// leftOut is the command of a part that this CLI is built without.
func leftOut(name string, aliases ...string) *cobra.Command {
	return &cobra.Command{
		Use:                name,
		Aliases:            aliases,
		Hidden:             true,
		DisableFlagParsing: true,
		RunE: func(*cobra.Command, []string) error {
			return fmt.Errorf("this Pulumi CLI is built without \`pulumi %s\`: ${official}", name)
		},
	}
}

type commandGroup struct {`,
      ],
    ],
  },
  {
    why: "The error type of `pulumi api` is all that the remaining commands use of it.",
    folder: "cmd/pulumi/cloud",
    keep: ["envelope.go"],
  },
  {
    why: "The field's type goes with spec.go.",
    file: "cmd/pulumi/cloud/envelope.go",
    replace: [['\tParameters      []ParamSpec `json:"parameters,omitempty"`\n', ""]],
  },
  {
    why: "`pulumi config` uses only these two files of `pulumi env`.",
    folder: "cmd/esc/cli",
    keep: ["prepare.go", "fs.go"],
  },
  {
    why: "A Markdown renderer draws one preview of `pulumi config env init`, which needs Pulumi Cloud.",
    file: "cmd/pulumi/config/config_env_init.go",
    replace: [
      ['\t"github.com/charmbracelet/glamour"\n', ""],
      [
        `	if !cmdutil.InteractiveTerminal() {
		return markdown.String(), nil
	}

	renderer, err := glamour.NewTermRenderer(glamour.WithAutoStyle(), glamour.WithWordWrap(0))
	if err != nil {
		return "", fmt.Errorf("internal error: creating renderer: %w", err)
	}
	rendered, err := renderer.Render(markdown.String())
	if err != nil {
		rendered = markdown.String()
	}

	return rendered, nil
`,
        `	return markdown.String(), nil
`,
      ],
    ],
  },
  {
    why: "Publishing a policy pack to Pulumi Cloud brings parsers for the manifests of all package managers.",
    file: "backend/httpstate/policypack.go",
    replace: [
      ['\t"github.com/pulumi/pulumi/sdk/v3/nodejs/npm"\n', ""],
      [
        `		packTarball, err = npm.Pack(ctx, npm.AutoPackageManager, op.PlugCtx.Pwd, os.Stderr)
		if err != nil {
			return fmt.Errorf("could not publish policies because of error running npm pack: %w", err)
		}
`,
        `		return errors.New("this Pulumi CLI is built without \`pulumi policy publish\` for Node.js: ${official}")
`,
      ],
      ['\t"encoding/json"\n', '\t"encoding/json"\n\t"errors"\n'],
    ],
  },
  {
    why: "The backends in cloud storage and Postgres bring the SDKs of three clouds.",
    file: "backend/diy/backend.go",
    replace: [
      ['\t"gocloud.dev/blob/azureblob"  // driver for azblob://\n', ""],
      ['\t"gocloud.dev/blob/gcsblob"    // driver for gs://\n', ""],
      ['\t_ "gocloud.dev/blob/s3blob"   // driver for s3://\n', ""],
      ['\t"github.com/pulumi/pulumi/pkg/v3/authhelpers"\n', ""],
      ['\t_ "github.com/pulumi/pulumi/pkg/v3/backend/diy/postgres" // driver for postgres://\n', ""],
      [
        `	// for gcp we want to support additional credentials
	// schemes on top of go-cloud's default credentials mux.
	if p.Scheme == gcsblob.Scheme {
		blobmux, err = authhelpers.GoogleCredentialsMux(ctx)
		if err != nil {
			return nil, err
		}
	}
`,
        "",
      ],
      [
        `	if p.Scheme == azureblob.Scheme {
		blobmux = &blob.URLMux{}
		blobmux.RegisterBucket(azureblob.Scheme, &azureblob.URLOpener{
			MakeClient:        azureblob.NewDefaultClient,
			ServiceURLOptions: *azureblob.NewDefaultServiceURLOptions(),
		})
	}
`,
        "",
      ],
      [
        `const FilePathPrefix = "file://"
`,
        `const FilePathPrefix = "file://"

// leftOut stands for the backends that this CLI is built without.
type leftOut struct{}

func (leftOut) OpenBucketURL(_ context.Context, u *url.URL) (*blob.Bucket, error) {
	return nil, fmt.Errorf("this Pulumi CLI is built without the backend %s://: ${official}", u.Scheme)
}

func init() {
	for _, scheme := range []string{"azblob", "gs", "postgres", "s3"} {
		blob.DefaultURLMux().RegisterBucket(scheme, leftOut{})
	}
}
`,
      ],
    ],
  },
  {
    why: "Only the backend s3:// needs this correction of a copy's source.",
    file: "backend/diy/bucket.go",
    replace: [
      ['\t"net/url"\n', ""],
      ['\tawss3 "github.com/aws/aws-sdk-go-v2/service/s3"\n', ""],
      [
        `		var input *awss3.CopyObjectInput
		if asFunc(&input) {
			fixupS3CopySource(input)
		}
`,
        "",
      ],
      [
        `func fixupS3CopySource(input *awss3.CopyObjectInput) {
	if input == nil || input.CopySource == nil {
		return
	}
	copySource, err := url.QueryUnescape(*input.CopySource)
	if err != nil {
		// Not the encoding we expected; leave the value alone.
		return
	}
	segments := strings.Split(copySource, "/")
	for i, segment := range segments {
		// PathEscape leaves "+" alone, but S3 servers decode the copy source
		// as URL-encoded where "+" can mean a space, so escape it explicitly.
		segments[i] = strings.ReplaceAll(url.PathEscape(segment), "+", "%2B")
	}
	escaped := strings.Join(segments, "/")
	input.CopySource = &escaped
}
`,
        "",
      ],
    ],
  },
  {
    why: "The key services of clouds and Vault bring their SDKs; a local stack's secrets are encrypted with a passphrase.",
    file: "secrets/cloud/manager.go",
    replace: [
      ['\t_ "gocloud.dev/secrets/awskms"        // support for awskms://\n', ""],
      ['\t_ "gocloud.dev/secrets/azurekeyvault" // support for azurekeyvault://\n', ""],
      ['\t"gocloud.dev/secrets/gcpkms"          // support for gcpkms://\n', ""],
      ['\t_ "gocloud.dev/secrets/hashivault"    // support for hashivault://\n', ""],
      ['\t"google.golang.org/api/cloudkms/v1"\n', ""],
      ['\t"github.com/pulumi/pulumi/pkg/v3/authhelpers"\n', ""],
      [
        `	switch u.Scheme {
	case gcpkms.Scheme:
		credentials, err := authhelpers.ResolveGoogleCredentials(ctx, cloudkms.CloudkmsScope)
		if err != nil {
			return nil, fmt.Errorf("missing google credentials: %w", err)
		}

		kmsClient, _, err := gcpkms.Dial(ctx, credentials.TokenSource)
		if err != nil {
			return nil, fmt.Errorf("failed to connect to gcpkms: %w", err)
		}
		opener := gcpkms.URLOpener{
			Client: kmsClient,
		}

		return opener.OpenKeeperURL(ctx, u)
	default:
		return gosecrets.OpenKeeper(ctx, url)
	}
`,
        `	return nil, fmt.Errorf("this Pulumi CLI is built without the secrets provider %s://: ${official}", u.Scheme)
`,
      ],
    ],
  },
  {
    why: "`pulumi logs` reads the logs of AWS and Google Cloud with their SDKs.",
    folder: "operations",
    keep: ["doc.go", "operations.go", "operations_cloud_aws.go", "resources.go"],
  },
  {
    why: "The functions go with operations_aws.go and operations_gcp.go.",
    file: "operations/resources.go",
    replace: [
      ['\t"context"\n', '\t"context"\n\t"errors"\n'],
      [
        `	case "aws":
		return AWSOperationsProvider(ctx, ops.config, ops.resource)
	case "gcp":
		return GCPOperationsProvider(ctx, ops.config, ops.resource)
`,
        `	case "aws", "gcp":
		return nil, errors.New("this Pulumi CLI is built without the logs of AWS and Google Cloud: ${official}")
`,
      ],
    ],
  },
];
