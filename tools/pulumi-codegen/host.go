package main

import (
	"context"
	"fmt"
	"strings"

	gogen "github.com/pulumi/pulumi/pkg/v3/codegen/go"
	"github.com/pulumi/pulumi/pkg/v3/codegen/hcl2/syntax"
	"github.com/pulumi/pulumi/pkg/v3/codegen/nodejs"
	"github.com/pulumi/pulumi/pkg/v3/codegen/pcl"
	"github.com/pulumi/pulumi/pkg/v3/codegen/python"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
	"github.com/pulumi/pulumi/sdk/v3/go/common/util/rpcutil"
	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/types/known/emptypb"
)

// host is a language host that writes programs, as `pulumi import` asks for them, and runs none.
type host struct {
	pulumirpc.UnimplementedLanguageRuntimeServer
	language string
}

// serve prints the port of the host and waits for Pulumi to end it.
func serve(language string) error {
	handle, err := rpcutil.ServeWithOptions(rpcutil.ServeOptions{
		Init: func(server *grpc.Server) error {
			pulumirpc.RegisterLanguageRuntimeServer(server, &host{language: language})
			return nil
		},
	})
	if err != nil {
		return err
	}
	fmt.Println(handle.Port)
	return <-handle.Done
}

func (h *host) GetPluginInfo(context.Context, *emptypb.Empty) (*pulumirpc.PluginInfo, error) {
	return &pulumirpc.PluginInfo{}, nil
}

func (h *host) GenerateProgram(
	_ context.Context, request *pulumirpc.GenerateProgramRequest,
) (*pulumirpc.GenerateProgramResponse, error) {
	loader, err := schema.NewLoaderClient(request.LoaderTarget)
	if err != nil {
		return nil, err
	}
	parser := syntax.NewParser()
	for path, text := range request.Source {
		if err := parser.ParseFile(strings.NewReader(text), path); err != nil {
			return nil, err
		}
	}
	program, diagnostics, err := pcl.BindProgram(
		parser.Files, schema.NewCachedLoader(loader), pcl.NonStrictBindOptions()...)
	if err != nil {
		return nil, err
	}
	if program == nil {
		return nil, diagnostics
	}
	var files map[string][]byte
	switch h.language {
	case "nodejs":
		files, diagnostics, err = nodejs.GenerateProgram(program)
	case "python":
		files, diagnostics, err = python.GenerateProgram(program)
	case "go":
		files, diagnostics, err = gogen.GenerateProgram(program)
	default:
		return nil, fmt.Errorf("no generator for %q", h.language)
	}
	if err != nil {
		return nil, err
	}
	if diagnostics.HasErrors() {
		return nil, diagnostics
	}
	return &pulumirpc.GenerateProgramResponse{Source: files}, nil
}
